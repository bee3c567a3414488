"""Everything that is measured of a clip, shot by shot."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from inference.backends.opencv_draft.motion import Motion, sum_up
from inference.backends.opencv_draft.pictures import Look, lab, look_at
from inference.backends.opencv_draft.shots import Shot, find_shots, sampled_densely
from inference.backends.opencv_draft.steps import measure_steps
from inference.backends.protocols import ClipFrames, Frames
from inference.sampling import middle

MAX_SIDE = 256  # pixels; measurements are made at this size
LOOKS = 8  # pictures of a shot whose colors are counted
STEPS = 64  # steps of a clip in which motion is measured, divided among its shots
MIN_STEPS = 4  # steps of a shot
LIGHT_GRID = (32, 18)
TREND = 8.0  # L* between the first and the last quarter of a shot
ALONG = 0.7  # correlation of light and time that makes a trend


@dataclass(frozen=True)
class ShotFacts:
    """`light`: mean L* of the first and the last quarter; None without a trend."""

    shot: Shot
    look: Look
    light: tuple[float, float] | None
    motion: Motion | None


@dataclass(frozen=True)
class Facts:
    """`aspect`: width / height. `dense`: no shot can fall between two of the `samples`."""

    seconds: float
    frames: int
    samples: int
    aspect: float
    dense: bool
    shots: tuple[ShotFacts, ...]


def measure_clip(clip: ClipFrames) -> Facts:
    """Raise ValueError where `clip` is not as ClipFrames promises."""
    _check(clip)
    height, width = clip.frames.shape[1:3]
    small = ClipFrames(shrink(clip.frames), clip.numbers, clip.length, clip.fps)
    return Facts(
        seconds=clip.seconds,
        frames=clip.length,
        samples=len(set(clip.numbers)),
        aspect=width / height,
        dense=sampled_densely(clip),
        shots=tuple(_measure_shot(small, shot) for shot in find_shots(small)),
    )


def shrink(frames: Frames) -> Frames:
    """Return the pictures with no side above MAX_SIDE."""
    height, width = frames.shape[1:3]
    scale = MAX_SIDE / max(height, width)
    if scale >= 1:
        return frames
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.stack([cv2.resize(frame, size, interpolation=cv2.INTER_AREA) for frame in frames])


def _check(clip: ClipFrames) -> None:
    shape = clip.frames.shape
    if len(shape) != 4 or shape[3] != 3 or 0 in shape or clip.frames.dtype != np.uint8:
        raise ValueError(
            f"The frames are {clip.frames.dtype} {shape}, not uint8 (n, height, width, 3)."
        )
    if len(clip.numbers) != len(clip.frames):
        raise ValueError(f"There are {len(clip.frames)} frames but {len(clip.numbers)} numbers.")


def _measure_shot(clip: ClipFrames, shot: Shot) -> ShotFacts:
    frames = clip.frames[shot.first : shot.last + 1]
    times = [number / clip.fps for number in clip.numbers[shot.first : shot.last + 1]]
    share = round(STEPS * (shot.end - shot.start) / clip.seconds)
    looks = sorted(set(middle(len(frames), LOOKS)))
    return ShotFacts(
        shot,
        look_at(frames[looks]),
        _trend(frames),
        sum_up(measure_steps(frames, times, max(MIN_STEPS, share))),
    )


def _trend(frames: Frames) -> tuple[float, float] | None:
    if len(frames) < 4:
        return None
    small = (cv2.resize(frame, LIGHT_GRID, interpolation=cv2.INTER_AREA) for frame in frames)
    light = np.array([lab(frame)[..., 0].mean() for frame in small])
    quarter = len(light) // 4
    first, last = float(light[:quarter].mean()), float(light[-quarter:].mean())
    if abs(last - first) < TREND:
        return None
    along = np.corrcoef(np.arange(len(light)), light)[0, 1]
    return (first, last) if abs(along) >= ALONG else None
