"""Clips whose frames carry their own number, and what is needed to read it back."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

BITS = 8
TICKS = 90_000
WHITE, BLACK = (235, 235, 235), (16, 16, 16)
CORNERS = {"red": (200, 30, 30), "green": (30, 180, 30), "blue": (30, 30, 200), "grey": (128,) * 3}
# tkhd matrices by (clockwise turn that the player makes, mirrored before it): a, b, c, d.
MATRICES = {
    (90, False): (0, 1, -1, 0),
    (180, False): (-1, 0, 0, -1),
    (270, False): (0, -1, 1, 0),
    (0, True): (-1, 0, 0, 1),
    (90, True): (0, -1, -1, 0),
}


@dataclass(frozen=True)
class Sound:
    """A tone from `begins` to `ends` in a soundtrack that starts at `offset`, all in seconds."""

    begins: float
    ends: float
    length: float
    offset: float = 0
    rate: int = 44_100
    layout: str = "stereo"


def draw(number: int, width: int = 160, height: int = 96) -> np.ndarray:
    """RGB: the number as black and white blocks, most significant first; a color per corner."""
    picture = np.full((height, width, 3), 90, np.uint8)
    for (row, column), color in zip(
        ((0, 0), (0, 1), (1, 0), (1, 1)), CORNERS.values(), strict=True
    ):
        top, left = row * (height - height // 4), column * (width - width // 4)
        picture[top : top + height // 4, left : left + width // 4] = color
    for bit in range(BITS):
        left, right = width * (bit + 1) // (BITS + 2), width * (bit + 2) // (BITS + 2)
        lit = number >> (BITS - 1 - bit) & 1
        picture[height // 3 : height * 2 // 3, left:right] = WHITE if lit else BLACK
    return picture


def read_number(picture: np.ndarray) -> int:
    height, width, _ = picture.shape
    number = 0
    for bit in range(BITS):
        column = int(width * (bit + 1.5) / (BITS + 2))
        number = number * 2 + int(picture[height // 2 - 2 : height // 2 + 2, column].mean() > 128)
    return number


def read_corners(picture: np.ndarray) -> list[str]:
    """The colors top left, top right, bottom left, bottom right."""
    height, width, _ = picture.shape
    points = [(row, column) for row in (0.1, 0.9) for column in (0.1, 0.9)]
    colors = [picture[int(height * row), int(width * column)].astype(int) for row, column in points]
    return [
        min(CORNERS, key=lambda name: abs(np.array(CORNERS[name]) - color).sum())
        for color in colors
    ]


def render(
    path: Path,
    *,
    frames: int = 12,
    fps: Fraction | int = 25,
    times: Sequence[Fraction] | None = None,
    size: tuple[int, int] = (160, 96),
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
    turned: tuple[int, bool] = (0, False),
    pixel_aspect: Fraction | int = 1,
    sound: Sound | None = None,
    container_options: dict[str, str] | None = None,
    options: dict[str, str] | None = None,
    metadata: dict[str, str] | None = None,
    first: int = 0,
) -> Path:
    """Write a clip of `frames` numbered frames, or one frame at each of `times` (seconds)."""
    frames = len(times) if times else frames
    with av.open(str(path), "w", options=container_options or {}) as output:
        output.metadata.update(metadata or {})
        stream = output.add_stream(codec, rate=fps, options=options or {})
        stream.width, stream.height = size if turned[0] % 180 == 0 else size[::-1]
        stream.pix_fmt = pix_fmt
        stream.codec_context.thread_count = 1  # So few frames take half as long without others.
        stream.codec_context.sample_aspect_ratio = Fraction(pixel_aspect)
        if times:
            stream.time_base = stream.codec_context.time_base = Fraction(1, TICKS)
        audio = sound and output.add_stream(
            "libopus" if path.suffix == ".webm" else "aac", rate=sound.rate, layout=sound.layout
        )
        for number in range(frames):
            picture = _turn_back(draw(first + number, *size), *turned)
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
            if times:
                frame.time_base, frame.pts = Fraction(1, TICKS), round(times[number] * TICKS)
            else:
                frame.time_base, frame.pts = 1 / Fraction(fps), number
            output.mux(stream.encode(frame))
        output.mux(stream.encode())
        if sound:
            _add_tone(output, audio, sound)
    if turned != (0, False):
        _patch_matrix(path, MATRICES[turned])
    return path


def render_sound_only(path: Path) -> Path:
    with av.open(str(path), "w") as output:
        audio = output.add_stream("aac", rate=44_100, layout="stereo")
        _add_tone(output, audio, Sound(0, 1, 1))
    return path


def read_back(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def read_numbers(path: Path) -> list[int]:
    return [read_number(picture) for picture in read_back(path)]


def read_loudness(path: Path, second: float) -> float:
    """The mean level of the 40 ms of sound from `second` on."""
    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        rate = stream.rate
        samples = np.zeros(0, np.float32)
        for frame in container.decode(stream):
            samples = np.concatenate([samples, frame.to_ndarray()[0]])
    start = int(second * rate)
    return float(np.abs(samples[start : start + rate // 25]).mean())


def read_slices(path: Path) -> list[bytes]:
    """The units of H.264 that hold the picture of each packet."""
    pictures = []
    with av.open(str(path)) as container:
        for packet in container.demux(video=0):
            data, position, slices = bytes(packet), 0, b""
            while position < len(data):
                end = position + 4 + int.from_bytes(data[position : position + 4], "big")
                if data[position + 4] & 31 in range(1, 6):
                    slices += data[position + 4 : end]
                position = end
            pictures += [slices] if slices else []
    return pictures


def top_boxes(path: Path) -> list[str]:
    """The names of an MP4's top-level boxes in order."""
    data, names, position = path.read_bytes(), [], 0
    while position < len(data):
        length, name = struct.unpack_from(">I4s", data, position)
        names.append(name.decode())
        position += length
    return names


def _turn_back(picture: np.ndarray, rotation: int, mirrored: bool) -> np.ndarray:
    """What must be stored for the player to show `picture`."""
    stored = np.rot90(picture, rotation // 90)
    return np.fliplr(stored) if mirrored else stored


def _patch_matrix(path: Path, matrix: tuple[int, int, int, int]) -> None:
    data = bytearray(path.read_bytes())
    header = data.index(b"tkhd")
    assert data[header + 4] == 0, "version 1 headers have other offsets"
    a, b, c, d = (value * 0x10000 for value in matrix)
    struct.pack_into(">9i", data, header + 44, a, b, 0, c, d, 0, 0, 0, 0x40000000)
    path.write_bytes(data)


def _add_tone(output, stream, sound: Sound) -> None:
    rate = stream.rate
    moments = np.arange(int(sound.length * rate)) / rate
    lit = (moments >= sound.begins - sound.offset) & (moments < sound.ends - sound.offset)
    tone = (np.sin(moments * 2 * np.pi * 440) * 0.5 * lit).astype(np.float32)
    resampler = av.AudioResampler(
        stream.format.name, sound.layout, rate, frame_size=stream.frame_size or 960
    )
    samples = np.tile(tone, (av.AudioLayout(sound.layout).nb_channels, 1))
    frame = av.AudioFrame.from_ndarray(samples, "fltp", sound.layout)
    frame.sample_rate, frame.time_base = rate, Fraction(1, rate)
    frame.pts = int(sound.offset * rate)
    for piece in [*resampler.resample(frame), *resampler.resample(None)]:
        output.mux(stream.encode(piece))
    output.mux(stream.encode())
