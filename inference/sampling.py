"""Which frames of a clip a model sees. Frame numbers count from the clip's first frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

# The parameters of each kind, besides its name for people.
FIELDS = {
    "middle": ("count",),
    "every": ("step",),
    "seconds": ("low", "high"),
    "pairs": ("count", "step"),
}


def middle(length: int, count: int) -> tuple[int, ...]:
    """Return the middle of each of `count` equal parts, as CaReBench samples (utils/video.py).

    [0, length) is split at np.linspace(0, length, parts + 1).astype(int); a part's frame is (start
    + end) // 2 with `end` its last frame. A clip of fewer than `count` frames gives each of its
    frames once, and then the last one again until there are `count`.
    """
    edges = _edges(length, count)
    numbers = [(start + end - 1) // 2 for start, end in pairwise(edges)]
    return tuple(numbers + numbers[-1:] * (count - len(numbers)))


def every_nth(length: int, step: int) -> tuple[int, ...]:
    """Return frames 0, step, 2 step ... below `length`, as LoVR and EVQAScore sample."""
    _require_frames(length)
    return tuple(range(0, length, step))


def by_seconds(length: int, fps: Fraction, low: int = 8, high: int = 64) -> tuple[int, ...]:
    """Return as many middles as the clip has whole seconds, but `low` to `high` (LoVR's
    captioning).
    """
    _require_frames(length)
    return middle(length, min(max(int(length / Fraction(fps)), low), high))


def pairs(length: int, count: int, step: int) -> tuple[int, ...]:
    """Return, for each of `count` equal parts, its first frame and the one `step` later in the
    part.

    Motion shows within a pair, change between the pairs. No frame is repeated: a part of one frame
    gives only that frame, so there are at most 2 * count numbers.
    """
    edges = _edges(length, count)
    numbers: list[int] = []
    for start, end in pairwise(edges):
        second = min(start + step, end - 1)
        numbers += [start] if second == start else [start, second]
    return tuple(numbers)


def _edges(length: int, count: int) -> list[int]:
    """Return the starts of the parts, and `length`; one part per frame if there are fewer
    frames.
    """
    _require_frames(length)
    return [int(edge) for edge in np.linspace(0, length, min(count, length) + 1).astype(int)]


def _require_frames(length: int) -> None:
    if length < 1:
        raise ValueError(f"A clip has at least 1 frame, not {length}.")


@dataclass(frozen=True)
class Sampling:
    """A rule for choosing frames. Only the parameters of its kind are set, the others are None.

    middle: `count` frames evenly. every: each `step`-th frame. seconds: one frame per second, but
    `low` to `high` of them, evenly. pairs: `count` pairs of frames that are `step` apart.
    """

    kind: str
    count: int | None = None
    step: int | None = None
    low: int | None = None
    high: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in list(FIELDS):  # A list, because a stored value may not be hashable.
            raise ValueError(f"Sampling {self.kind!r} is unknown. Choose {_either(FIELDS)}.")
        needed = FIELDS[self.kind]
        for name in ("count", "step", "low", "high"):
            value = getattr(self, name)
            if name not in needed:
                if value is not None:
                    raise ValueError(f"Sampling {self.kind!r} takes no {name!r}. Remove it.")
            elif type(value) is not int or value < 1:  # bool is an int, but not a number of frames
                raise ValueError(
                    f"Sampling {self.kind!r} needs {name!r}, a whole number from 1, not {value!r}."
                )
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"'low' is {self.low} but 'high' only {self.high}. Swap them.")

    @classmethod
    def parse(cls, stored: Mapping[str, Any]) -> Sampling:
        """Parse the result of `as_dict`; "seconds" can omit low and high (8 and 64)."""
        if not isinstance(stored, Mapping):
            raise ValueError(
                f'A sampling is written like {{"kind": "middle", "count": 32}}, not {stored!r}.'
            )
        if "kind" not in stored:
            raise ValueError(f"The sampling names no 'kind'. Choose {_either(FIELDS)}.")
        unknown = sorted(map(str, set(stored) - {"kind", "count", "step", "low", "high"}))
        if unknown:
            raise ValueError(f"A sampling has no {unknown[0]!r}. Remove it.")
        preset = {"low": 8, "high": 64} if stored["kind"] == "seconds" else {}
        return cls(**{**preset, **stored})

    def as_dict(self) -> dict[str, str | int]:
        """Return only the set parameters, so that equal samplings are equal JSON."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def numbers(self, length: int, fps: Fraction) -> tuple[int, ...]:
        """Return frame numbers, never falling, from 0 to below `length`, and at least one.

        Raises ValueError if `length` is below 1.
        """
        match self:
            case Sampling(kind="middle", count=int(count)):
                return middle(length, count)
            case Sampling(kind="every", step=int(step)):
                return every_nth(length, step)
            case Sampling(kind="pairs", count=int(count), step=int(step)):
                return pairs(length, count, step)
            case Sampling(low=int(low), high=int(high)):
                return by_seconds(length, fps, low, high)
        raise AssertionError(self)

    @property
    def most_frames(self) -> int | None:
        """Return the most frames of any clip; None if it depends on the clip's length."""
        if self.count is not None:
            return 2 * self.count if self.kind == "pairs" else self.count
        return self.high

    def __str__(self) -> str:
        match self.kind:
            case "middle":
                return f"{_counted(self.count, 'frame')}, evenly spread"
            case "every":
                return "every frame" if self.step == 1 else f"every {_ordinal(self.step)} frame"
            case "pairs":
                return f"{_counted(self.count, 'pair')}, {_counted(self.step, 'frame')} apart"
        return f"a frame a second, {self.low} to {self.high}"


# For the measured draft: motion shows between the two frames of a pair.
MEASURED = Sampling("pairs", count=120, step=2)
MEASURED_SIDE = 256  # pixels of the longer side at which it measures


def _either(names: Mapping[str, Any]) -> str:
    *first, last = map(repr, names)
    return f"{', '.join(first)} or {last}"


def _counted(number: int | None, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _ordinal(number: int | None) -> str:
    assert number is not None
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"
