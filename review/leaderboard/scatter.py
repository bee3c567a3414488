"""A metric against a rating, a point a model, in the units of their SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.axes import Tick
from review.display.scale import bounds

WIDTH, HEIGHT = 320, 220
LEFT, RIGHT, TOP, BOTTOM = 44, 16, 14, 30
MOST_DIGITS = 6
# A lesser number is shown as 0.
LEAST = 0.0001


@dataclass(frozen=True)
class Point:
    """`number` counts models from 1, and stands beside its dot."""

    number: int
    name: str
    value: float
    rating: float
    x: float
    y: float

    @property
    def shown(self) -> str:
        """To four digits, whatever the metric's range is, and never with an exponent."""
        if abs(self.value) < LEAST:
            return "0"
        return f"{self.value:#.4g}" if abs(self.value) < 1000 else f"{self.value:.0f}"

    @property
    def label_x(self) -> float:
        """Left of the dot where there is no room to its right."""
        return self.x + (8 if self.x < WIDTH - RIGHT - 16 else -8)

    @property
    def anchor(self) -> str:
        return "start" if self.label_x > self.x else "end"


@dataclass(frozen=True)
class Scatter:
    points: list[Point]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    base: int = HEIGHT - BOTTOM


def draw_scatter(rows: Sequence[tuple[int, str, float, float]]) -> Scatter:
    """`rows`: each model's number, name, value and rating; there is at least one."""
    x_ends, x_ticks = _scale([row[2] for row in rows], LEFT, WIDTH - RIGHT)
    y_ends, y_ticks = _scale([row[3] for row in rows], HEIGHT - BOTTOM, TOP)
    points = [
        Point(
            number,
            name,
            value,
            rating,
            _place(value, x_ends, LEFT, WIDTH - RIGHT),
            _place(rating, y_ends, HEIGHT - BOTTOM, TOP),
        )
        for number, name, value, rating in rows
    ]
    return Scatter(points, x_ticks, y_ticks)


def _scale(
    numbers: Sequence[float], start: float, end: float
) -> tuple[tuple[float, float], list[Tick]]:
    """The ends of an axis and its ticks, at round numbers however small the numbers are."""
    span = max(numbers) - min(numbers) or abs(max(numbers)) or 1.0
    digits = min(MOST_DIGITS, max(0, 1 - math.floor(math.log10(span))))
    unit = 10.0**-digits
    lowest, highest, step = bounds((number / unit for number in numbers), 3)
    ends = lowest * unit, highest * unit
    # One digit less is enough where all ticks end in 0.
    shown = digits - 1 if digits and step % 10 == 0 and lowest % 10 == 0 else digits
    return ends, [
        Tick(f"{value * unit:.{shown}f}", _place(value * unit, ends, start, end))
        for value in range(lowest, highest + 1, step)
    ]


def _place(value: float, ends: tuple[float, float], start: float, end: float) -> float:
    return round(start + (end - start) * (value - ends[0]) / (ends[1] - ends[0]), 2)
