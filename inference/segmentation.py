"""The result of a video's cuts: clips that tile it, or a reason to exclude the video."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

MAX_POINTS = 4000
STORED = np.dtype("<f4")

Range = tuple[int, int]


@dataclass(frozen=True)
class Curve:
    """The largest content value of each `step` frames, in order: `values[n]` is that of the frames
    [n * step, (n + 1) * step)."""

    values: NDArray[np.float32]
    step: int

    @classmethod
    def of(cls, values: NDArray[np.float32], most: int = MAX_POINTS) -> Curve:
        """Reduce the values to at most `most`, keeping every peak."""
        step = max(1, -(-len(values) // most))
        starts = np.arange(0, len(values), step)
        largest = np.maximum.reduceat(values, starts) if len(values) else values
        return cls(largest.astype(np.float32), step)

    @classmethod
    def from_bytes(cls, stored: bytes, step: int) -> Curve:
        return cls(np.frombuffer(stored, STORED).astype(np.float32), step)

    def to_bytes(self) -> bytes:
        return self.values.astype(STORED).tobytes()


@dataclass(frozen=True)
class Curves:
    """The three differences between frames, with the same step: ContentDetector's value, the mean
    of the absolute differences of the pixels, and the difference of the means of the pixels.
    """

    content: Curve
    absolute: Curve
    of_means: Curve


def tile(cuts: Sequence[int], frames: int) -> list[Range]:
    """Return the half-open frame ranges that begin at `cuts` and tile [0, frames)."""
    return list(pairwise([*cuts, frames]))


def scene_names(video_name: str, count: int) -> list[str]:
    """Return the names that PySceneDetect, and so LoVR, gives to the parts of a video."""
    digits = max(3, len(str(count)))
    return [f"{video_name}-Scene-{number:0{digits}}" for number in range(1, count + 1)]


def too_short(seconds: Fraction, least: float) -> str:
    """Return why a video of this length is excluded (LoVR, section 3.1); "" if it isn't."""
    if seconds >= Fraction(least):
        return ""
    return f"{spoken(seconds)} long; at least {spoken(least)} are asked for"


def too_few(clips: int, least: int) -> str:
    """Return why a video with so few clips is excluded; "" if it isn't."""
    if clips >= least:
        return ""
    return f"{counted(clips)}; at least {least} are asked for"


def counted(clips: int) -> str:
    return f"{clips:,} clip" if clips == 1 else f"{clips:,} clips"


def spoken(seconds: Fraction | float) -> str:
    """Format 450 as "7 min 30 s" and 9.96 as "9.9 s", rounded down so that it never claims too
    much.
    """
    if seconds < 60:
        return f"{int(seconds * 10) / 10:g} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(hours, "h"), (minutes, "min"), (rest, "s")]
    return " ".join(f"{number} {unit}" for number, unit in parts if number)
