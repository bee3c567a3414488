"""Draw an estimate with its interval over the number of answers, in the units of its SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass

from annotate.axes import Frame, Framed, Tick, round_step
from review.studies.precision import Course

FRAME = Frame.within(640, 240, left=80, right=24, top=16, bottom=40)
PARTS = 4


@dataclass(frozen=True, kw_only=True)
class CourseChart(Framed):
    """`band`: the outline of the interval; `line`: the estimate. Both are points of a polygon."""

    band: str
    line: str
    dots: list[tuple[float, float]]
    x_ticks: list[Tick]
    y_ticks: list[Tick]


def draw_course(course: Course) -> CourseChart | None:
    """Return None unless at least two steps have an interval."""
    steps = [step for step in course.steps if step.low is not None and step.high is not None]
    if len(steps) < 2:
        return None
    lows = [step.low for step in steps if step.low is not None]
    highs = [step.high for step in steps if step.high is not None]
    numbers, digits = round_numbers(min(lows), max(highs))
    most = steps[-1].n
    step = round_step(most, PARTS)
    x, y = FRAME.x(0, most), FRAME.y(numbers[0], numbers[-1])
    upper = [(x(step.n), y(top)) for step, top in zip(steps, highs, strict=True)]
    lower = [(x(step.n), y(bottom)) for step, bottom in zip(steps, lows, strict=True)]
    dots = [(x(step.n), y(step.value)) for step in steps if step.value is not None]
    return CourseChart(
        frame=FRAME,
        band=_points([*upper, *reversed(lower)]),
        line=_points(dots),
        dots=dots,
        x_ticks=x.ticks(range(step, most + 1, step)),
        y_ticks=[Tick(written(number, digits), y(number)) for number in numbers],
    )


def round_numbers(low: float, high: float) -> tuple[list[float], int]:
    """Return round numbers from at most `low` to at least `high`, in about PARTS equal steps, and
    how many decimals they have."""
    if low == high:
        low, high = low - 1, high + 1
    rough = (high - low) / PARTS
    scale = 10.0 ** math.floor(math.log10(rough))
    step = next(size * scale for size in (1, 2, 5, 10) if size * scale >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return [round(place * step, digits) for place in range(first, last + 1)], digits


def written(number: float, digits: int) -> str:
    """Format a number as on the page: 1,073 or −0.25."""
    return f"{number:z,.{digits}f}".replace("-", "−")


def _points(places: list[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)
