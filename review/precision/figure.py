"""Draw an estimate with its interval over the number of answers, in the units of its SVG."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.axes import Frame, Framed, Tick, round_step
from review.studies.precision import Course

FRAME = Frame.within(640, 220, left=56, right=16, top=12, bottom=32)
PARTS = 4


@dataclass(frozen=True, kw_only=True)
class CourseChart(Framed):
    """`band`: the outline of the interval; `line`: the estimate. Both are points of a polygon."""

    band: str
    line: str
    dots: list[tuple[float, float]]
    x_ticks: list[Tick]
    y_ticks: list[Tick]


def draw_course(course: Course, digits: int) -> CourseChart | None:
    """Return None unless at least two steps have an interval."""
    steps = [step for step in course.steps if step.low is not None and step.high is not None]
    if len(steps) < 2:
        return None
    lows = [step.low for step in steps if step.low is not None]
    highs = [step.high for step in steps if step.high is not None]
    low, high = min(lows), max(highs)
    if low == high:
        low, high = low - 1, high + 1
    most = steps[-1].n
    x, y = FRAME.x(0, most), FRAME.y(low, high)
    upper = [(x(step.n), y(top)) for step, top in zip(steps, highs, strict=True)]
    lower = [(x(step.n), y(bottom)) for step, bottom in zip(steps, lows, strict=True)]
    dots = [(x(step.n), y(step.value)) for step in steps if step.value is not None]
    ticks = [low + (high - low) * part / PARTS for part in range(PARTS + 1)]
    return CourseChart(
        frame=FRAME,
        band=_points([*upper, *reversed(lower)]),
        line=_points(dots),
        dots=dots,
        x_ticks=x.ticks(range(0, most + 1, round_step(most, 5))),
        y_ticks=[Tick(f"{number:.{digits}f}", y(number)) for number in ticks],
    )


def _points(places: list[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)
