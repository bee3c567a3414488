"""Measure a video file by decoding it, or say why it is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from av import Packet, VideoFrame
from av.container import InputContainer

from annotate.media.containers import open_container, sniff_container
from annotate.media.decoding import VideoDecoder, choose_audio, choose_video, exact, frame_length
from annotate.media.errors import MediaError
from annotate.media.orientation import read_orientation
from annotate.media.timing import find_constant_rate, playback_rate

MIB = 1024**2

# Containers whose header states the length; in the others FFmpeg only estimates it.
STATES_DURATION = {"mp4", "matroska", "avi", "flv", "asf"}


@dataclass(frozen=True)
class Limits:
    """The limits of a video.

    `max_gigapixels` limits the pixels of all frames together, in billions, and so the decoding.
    """

    max_bytes: int = 4 * 1024**3
    max_seconds: int = 2 * 60 * 60
    min_seconds: float = 0
    max_frames: int = 450_000
    max_gigapixels: int = 1_000
    min_side: int = 1
    min_fps: int = 1
    max_fps: int = 240
    max_pixels: int = 8192 * 4320


@dataclass(frozen=True)
class Probe:
    """The properties of a video of which every frame was decoded.

    `width` and `height` are those of the upright picture, after mirroring (if `mirrored`) and
    clockwise `rotation`, but before pixels that aren't square are stretched. `fps` is the average
    frame rate, `playback_fps` the constant rate of the playback file, and `start` the time of the
    first frame in the file's clock. Times are in seconds.
    """

    container: str
    codec: str
    width: int
    height: int
    rotation: int
    mirrored: bool
    fps: Fraction
    playback_fps: Fraction
    frames: int
    start: Fraction
    duration: Fraction
    variable_frame_rate: bool
    has_audio: bool
    size: int


def probe(
    path: Path,
    limits: Limits = Limits(),
    *,
    on_frame: Callable[[VideoFrame], None] = lambda frame: None,
) -> Probe:
    """Decode the whole file and return its properties; raise MediaError if refused.

    `on_frame` gets each frame in order, and may end the work by raising.
    """
    path = Path(path)
    size = check_bytes(path, limits)
    container_name = sniff_container(path)
    with open_container(path, container_name) as container:
        video = choose_video(container)
        _check_pixels(video.codec_context.width, video.codec_context.height, limits)
        times, first, last = _decode_all(
            container, limits, container_name in STATES_DURATION, on_frame
        )
        declared = video.average_rate and Fraction(video.average_rate)
        constant = find_constant_rate(times, declared)
        fps, duration = _measure(times, constant, frame_length(last))
        _check_rate(fps, limits)
        _check_length(duration, limits)
        if duration < limits.min_seconds:
            raise MediaError(
                "too_short",
                f"The video is {float(duration):.2f} s long; the project "
                f"accepts videos of {limits.min_seconds:g} s or more. Choose a longer one, or "
                "lower the limit in the project's settings.",
            )
        rotation, mirrored = read_orientation(first)
        upright = rotation % 180 == 0
        return Probe(
            container=container_name,
            codec=video.codec.canonical_name,
            width=first.width if upright else first.height,
            height=first.height if upright else first.width,
            rotation=rotation,
            mirrored=mirrored,
            fps=fps,
            playback_fps=constant or playback_rate(times, fps),
            frames=len(times),
            start=times[0],
            duration=duration,
            variable_frame_rate=constant is None,
            has_audio=choose_audio(container) is not None,
            size=size,
        )


def hash_file(path: Path) -> str:
    """Return the file's SHA-256 in hexadecimal."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_bytes(path: Path, limits: Limits) -> int:
    """Return the file's size; raise MediaError for one that is too large."""
    size = path.stat().st_size
    if size > limits.max_bytes:
        raise MediaError(
            "too_large",
            f"The file is {size / MIB:,.1f} MiB; the limit is {limits.max_bytes / MIB:,.1f} MiB. "
            "Export it smaller or cut it into parts.",
        )
    return size


def check_frame_count(count: int, width: int, height: int, limits: Limits) -> None:
    """Raise MediaError for more frames or pixels than may be decoded."""
    if count > limits.max_frames:
        raise MediaError(
            "too_many_frames",
            f"The video has more than {limits.max_frames:,} frames. Cut it into parts, or export "
            "it with fewer frames per second.",
        )
    if count * width * height > limits.max_gigapixels * 10**9:
        raise MediaError(
            "too_many_frames",
            f"The video has more than {limits.max_gigapixels:,} gigapixels in all its frames. "
            "Cut it into parts or export it smaller.",
        )


def _decode_all(
    container: InputContainer,
    limits: Limits,
    states_duration: bool,
    on_frame: Callable[[VideoFrame], None],
) -> tuple[list[Fraction], VideoFrame, VideoFrame]:
    """Return (the time of each frame, the first frame, the last frame)."""
    decoder = VideoDecoder(choose_video(container))
    times: list[Fraction] = []
    first = last = None
    ends = PacketEnds()
    latest = Fraction(0)
    for packet in container.demux():
        ends.add(packet)
        if packet.stream is not decoder.stream:
            continue
        for time, frame in decoder.decode(packet):
            _check_pixels(frame.width, frame.height, limits)
            if first is None:
                first, latest = frame, time + limits.max_seconds
            times.append(time)
            last = frame
            if time > latest:
                _check_length(time - times[0], limits)
            check_frame_count(len(times), frame.width, frame.height, limits)
            on_frame(frame)
    if first is None or last is None:
        raise MediaError(
            "damaged",
            "No frame of the video can be decoded. Export it again as MP4 (H.264).",
        )
    if states_duration and container.duration:
        check_all_there(Fraction(container.duration, 1_000_000), ends.last, container)
    return times, first, last


class PacketEnds:
    """The end of the packets of each stream, in its ticks: fractions for each packet would take as
    long as copying it."""

    def __init__(self) -> None:
        self._ticks: dict[int, int] = {}
        self._tick: dict[int, Fraction] = {}

    def add(self, packet: Packet[Any]) -> None:
        ticks = packet.pts if packet.pts is not None else packet.dts
        if not ticks:
            return
        stream, end = packet.stream_index, ticks + (packet.duration or 0)
        if stream not in self._tick:
            self._tick[stream] = exact(packet.time_base)
        self._ticks[stream] = max(end, self._ticks.get(stream, end))

    @property
    def last(self) -> Fraction:
        """Return the end of the last packet in seconds, 0 if none states a later time."""
        ends = [ticks * self._tick[stream] for stream, ticks in self._ticks.items()]
        return max([Fraction(0), *ends])


def check_all_there(stated: Fraction, end: Fraction, container: InputContainer) -> None:
    """Raise MediaError if the packets end before the length that the container states."""
    actual = end - Fraction(container.start_time or 0, 1_000_000)
    if actual < stated - max(Fraction(1), stated / 20):
        raise MediaError(
            "truncated",
            f"The file says that it is {float(stated):.1f} s long but ends after "
            f"{float(actual):.1f} s. Copy or download it again.",
        )


def _measure(
    times: list[Fraction], constant: Fraction | None, last_length: Fraction
) -> tuple[Fraction, Fraction]:
    """Return the average frame rate, and the seconds from the first frame to the last one's end."""
    if constant:
        return constant, len(times) / constant
    span = times[-1] - times[0]
    duration = span + (last_length or span / max(1, len(times) - 1))
    if not duration or (len(times) > 1 and not span):
        raise _bad_rate("All frames of the video have the same time, so it has no frame rate.")
    return (len(times) / duration).limit_denominator(1001), duration


def _check_pixels(width: int, height: int, limits: Limits) -> None:
    if 0 < min(width, height) < limits.min_side:
        raise MediaError(
            "too_small",
            f"The video is {width} x {height} pixels; the project accepts videos whose shorter "
            f"side has {limits.min_side} pixels or more. Choose a larger one, or lower the limit "
            "in the project's settings.",
        )
    if width * height > limits.max_pixels:
        raise MediaError(
            "too_many_pixels",
            f"The video is {width} x {height} pixels; the limit is {limits.max_pixels:,} pixels "
            "in all. Export it smaller.",
        )


def _check_rate(fps: Fraction, limits: Limits) -> None:
    if not limits.min_fps <= fps <= limits.max_fps:
        raise _bad_rate(
            f"The video has {float(fps):,.2f} frames per second; "
            f"{limits.min_fps} to {limits.max_fps} are accepted."
        )


def _check_length(seconds: Fraction, limits: Limits) -> None:
    if seconds > limits.max_seconds:
        raise MediaError(
            "too_long",
            f"The video is longer than the limit of {limits.max_seconds:,} s. Cut it into parts.",
        )


def _bad_rate(reason: str) -> MediaError:
    return MediaError("bad_fps", f"{reason} Export it again at 24 to 60 frames per second.")
