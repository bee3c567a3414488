"""Positions of values on an axis as wide as its column, in percent of its width."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from annotate.axes import Frame, Framed, Scale, Tick, round_step

FRAME = Frame.within(100, 100, left=8, right=8, top=0, bottom=0)
PARTS = 4


@dataclass(frozen=True, kw_only=True)
class Axis(Framed):
    """An axis with its ticks. `zero`: where 0 is."""

    scale: Scale
    ticks: list[Tick]

    @property
    def zero(self) -> float:
        return self.scale(0)


@dataclass(frozen=True)
class Mark:
    """A value with its interval, if any."""

    at: float
    low: float | None
    high: float | None


def bounds(numbers: Iterable[float], parts: int = PARTS) -> tuple[int, int, int]:
    """Return the lowest and highest multiple of a round step that enclose all numbers, and the
    step.
    """
    values = list(numbers)
    least, most = min(values), max(values)
    step = round_step(max(1, math.ceil(most - least)), parts)
    lowest = math.floor(least / step) * step
    return lowest, max(lowest + step, math.ceil(most / step) * step), step


def draw_axis(numbers: Iterable[float]) -> Axis:
    """Return an axis that fits all numbers, at least one."""
    lowest, highest, step = bounds(numbers)
    scale = FRAME.x(lowest, highest)
    ticks = scale.ticks(range(lowest, highest + 1, step), str)
    return Axis(frame=FRAME, scale=scale, ticks=ticks)


def draw_mark(axis: Axis, value: float, low: float | None, high: float | None) -> Mark:
    def at(number: float | None) -> float | None:
        return None if number is None else axis.scale(number)

    return Mark(axis.scale(value), at(low), at(high))
