"""Draw a metric against a rating, in the units of their SVG, with one point per model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotate.axes import Frame, Framed, Scale, Tick
from review.display.scale import bounds

FRAME = Frame.within(320, 220, left=44, right=16, top=14, bottom=30)
MAX_DIGITS = 6
# Smaller numbers are shown as 0.
MINIMUM = 0.0001


@dataclass(frozen=True)
class Point:
    """A point; `number` counts models from 1 and is drawn beside the dot."""

    number: int
    name: str
    value: float
    rating: float
    x: float
    y: float

    @property
    def value_text(self) -> str:
        """Return the number with four digits, without an exponent, whatever the metric's range."""
        if abs(self.value) < MINIMUM:
            return "0"
        return f"{self.value:#.4g}" if abs(self.value) < 1000 else f"{self.value:.0f}"

    @property
    def label_x(self) -> float:
        """Return the label's x; it is left of the dot if the right side has no room."""
        return self.x + (8 if self.x < FRAME.right - 16 else -8)

    @property
    def anchor(self) -> str:
        return "start" if self.label_x > self.x else "end"


@dataclass(frozen=True, kw_only=True)
class Scatter(Framed):
    points: list[Point]
    x_ticks: list[Tick]
    y_ticks: list[Tick]


def draw_scatter(rows: Sequence[tuple[int, str, float, float]]) -> Scatter:
    """Draw `rows`, each model's number, name, value and rating; there is at least one."""
    x, x_ticks = _scale([row[2] for row in rows], FRAME.x)
    y, y_ticks = _scale([row[3] for row in rows], FRAME.y)
    points = [
        Point(number, name, value, rating, x(value), y(rating))
        for number, name, value, rating in rows
    ]
    return Scatter(frame=FRAME, points=points, x_ticks=x_ticks, y_ticks=y_ticks)


def _scale(
    numbers: Sequence[float], scale_of: Callable[[float, float], Scale]
) -> tuple[Scale, list[Tick]]:
    """Return a scale and its ticks, at round numbers however small the numbers are."""
    span = max(numbers) - min(numbers) or abs(max(numbers)) or 1.0
    digits = min(MAX_DIGITS, max(0, 1 - math.floor(math.log10(span))))
    unit = 10.0**-digits
    lowest, highest, step = bounds((number / unit for number in numbers), 3)
    scale = scale_of(lowest * unit, highest * unit)
    # Drop one digit if all ticks end in 0.
    decimals = digits - 1 if digits and step % 10 == 0 and lowest % 10 == 0 else digits
    return scale, [
        Tick(f"{value * unit:z.{decimals}f}", scale(value * unit))
        for value in range(lowest, highest + 1, step)
    ]
