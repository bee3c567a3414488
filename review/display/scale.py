"""Where ratings stand on an axis, in the units of an SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from annotate.axes import Tick, round_step

WIDTH, HEIGHT, PAD = 240, 20, 18
PARTS = 4


@dataclass(frozen=True)
class Axis:
    """From `lowest` to `highest`, both multiples of the step between its ticks."""

    lowest: float
    highest: float
    ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    middle: int = HEIGHT // 2


@dataclass(frozen=True)
class Mark:
    """A value with its interval."""

    at: float
    low: float
    high: float


def bounds(numbers: Iterable[float], parts: int = PARTS) -> tuple[int, int, int]:
    """The lowest and the highest multiple of a round step that hold all numbers, and the step."""
    given = list(numbers)
    least, most = min(given), max(given)
    step = round_step(max(1, math.ceil(most - least)), parts)
    lowest = math.floor(least / step) * step
    return lowest, max(lowest + step, math.ceil(most / step) * step), step


def draw_axis(numbers: Iterable[float]) -> Axis:
    """Wide enough for all of the numbers, of which there is at least one."""
    lowest, highest, step = bounds(numbers)
    ticks = [
        Tick(str(value), _x(value, lowest, highest)) for value in range(lowest, highest + 1, step)
    ]
    return Axis(lowest, highest, ticks)


def draw_mark(axis: Axis, value: float, low: float, high: float) -> Mark:
    return Mark(*(_x(number, axis.lowest, axis.highest) for number in (value, low, high)))


def _x(value: float, lowest: float, highest: float) -> float:
    return round(PAD + (WIDTH - 2 * PAD) * (value - lowest) / (highest - lowest), 2)
