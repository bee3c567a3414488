"""Measure a video file by decoding it, or say why it is refused."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from av import VideoFrame

from annotate.media.containers import is_broadcast, name_container, open_container
from annotate.media.decoding import choose_audio, choose_video, decode, exact, frame_length
from annotate.media.errors import MediaError
from annotate.media.filters import HDR, read_orientation
from annotate.media.timing import (
    Stamps,
    find_constant_rate,
    place_frames,
    playback_rate,
    read_clock,
)

MIB = 1024**2


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


# Of a file that has been imported.
NO_LIMITS = Limits(
    max_bytes=1 << 62, max_seconds=1 << 62, max_frames=1 << 62, max_gigapixels=1 << 62
)


@dataclass(frozen=True)
class Probe:
    """The properties of a video of which every frame was decoded.

    `width` and `height` are those of the upright picture, after mirroring (if `mirrored`) and
    clockwise `rotation`, but before pixels that aren't square are stretched; where the size
    changes, that of most frames, and `resized` frames have another. `fps` is the average frame
    rate, and `start` the time of the first frame in the file's clock, which starts again `restarts`
    times. The playback file has `playback_frames` at the constant rate `playback_fps`, without
    `dropped` ones. `interlaced` frames have fields. `hdr` is PQ, HLG or empty. Times are
    in seconds.

    `places`: for each frame, the frame of the playback file from which on it is shown, which is the
    next one's if it isn't shown at all. `moves`: as in a Clock.
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
    dropped: int
    restarts: int
    resized: int
    interlaced: int
    hdr: str
    playback_frames: int
    places: list[int] = field(repr=False)
    moves: list[Fraction] = field(repr=False)


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
    with open_container(path) as container:
        video = choose_video(container)
        _check_pixels(video.codec_context.width, video.codec_context.height, limits)
        stamps: list[Stamps] = []
        sizes: Counter[tuple[int, int]] = Counter()
        first = last = None
        interlaced, transfer = 0, 0
        for frame in decode(container, video):
            first, last = first or frame, frame
            stamps.append((frame.pts, frame.dts))
            sizes[frame.width, frame.height] += 1
            interlaced += frame.interlaced_frame
            transfer = max(transfer, frame.color_trc if frame.color_trc in HDR else 0)
            _check_pixels(frame.width, frame.height, limits)
            check_frame_count(len(stamps), frame.width, frame.height, limits)
            on_frame(frame)
        if first is None or last is None:
            raise MediaError(
                "damaged",
                "No frame of the video can be decoded. Export it again as MP4 (H.264).",
            )
        declared = video.average_rate and Fraction(video.average_rate)
        clock = read_clock(
            stamps, exact(video.time_base), declared, may_jump=is_broadcast(container)
        )
        constant = find_constant_rate(clock.times, declared)
        fps, duration = _measure(clock.times, constant, frame_length(last))
        _check_rate(fps, limits)
        _check_length(duration, limits)
        playback_fps = constant or playback_rate(clock.times, fps)
        places = list(range(len(stamps)))
        if constant is None:
            places = place_frames(clock.times, playback_fps)
        rotation, mirrored = read_orientation(first)
        (width, height), alike = sizes.most_common(1)[0]
        return Probe(
            container=name_container(container),
            codec=video.codec.canonical_name,
            width=width if rotation % 180 == 0 else height,
            height=height if rotation % 180 == 0 else width,
            rotation=rotation,
            mirrored=mirrored,
            fps=fps,
            playback_fps=playback_fps,
            frames=len(stamps),
            start=clock.start,
            duration=duration,
            variable_frame_rate=constant is None,
            has_audio=choose_audio(container) is not None,
            size=size,
            dropped=len(stamps) - len(set(places)),
            restarts=len(clock.moves) - 1,
            resized=len(stamps) - alike,
            interlaced=interlaced,
            hdr=HDR.get(transfer, ""),
            playback_frames=max(places[-1] + 1, round(duration * playback_fps)),
            places=places,
            moves=clock.moves,
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


def _measure(
    times: list[Fraction], constant: Fraction | None, last_length: Fraction
) -> tuple[Fraction, Fraction]:
    """Return the average frame rate, and the seconds from the first frame to the last one's end."""
    if constant:
        return constant, len(times) / constant
    span = times[-1]
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
    if seconds < limits.min_seconds:
        raise MediaError(
            "too_short",
            f"The video is {float(seconds):.2f} s long; the project "
            f"accepts videos of {limits.min_seconds:g} s or more. Choose a longer one, or "
            "lower the limit in the project's settings.",
        )


def _bad_rate(reason: str) -> MediaError:
    return MediaError("bad_fps", f"{reason} Export it again at 24 to 60 frames per second.")
