"""Ratings over the votes of a round, in the units of their SVG: a line a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.axes import Tick, round_step
from review.display.scale import bounds

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 48, 40, 12, 36
# As many colours as charts have; the next six are dashed.
COLOURS = 6
MOST_LINES = 2 * COLOURS
LABEL_HEIGHT = 13


@dataclass(frozen=True)
class Line:
    """`number` counts models from 1 and stands at the line's end, at `label_y`."""

    number: int
    name: str
    colour: int
    is_dashed: bool
    points: str
    dots: list[tuple[float, float]]
    label_y: float


@dataclass(frozen=True)
class PathChart:
    lines: list[Line]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    base: int = HEIGHT - BOTTOM
    label_x: int = WIDTH - RIGHT + 8


def draw_path(
    path: Sequence[Mapping[str, Any]], names: Mapping[str, str], order: Sequence[str]
) -> PathChart | None:
    """`path`: points of a report, each with `votes` and `ratings` by model. The first MOST_LINES
    models of `order` are drawn; None where nothing can be."""
    drawn = [model for model in order[:MOST_LINES] if any(model in p["ratings"] for p in path)]
    if not drawn:
        return None
    lowest, highest, step = bounds(
        (p["ratings"][model] for p in path for model in drawn if model in p["ratings"]), 5
    )
    most: int = path[-1]["votes"]
    base, right = HEIGHT - BOTTOM, WIDTH - RIGHT

    def x(votes: float) -> float:
        return round(LEFT + (right - LEFT) * votes / most, 2)

    def y(rating: float) -> float:
        return round(base - (base - TOP) * (rating - lowest) / (highest - lowest), 2)

    courses = {
        model: [(x(p["votes"]), y(p["ratings"][model])) for p in path if model in p["ratings"]]
        for model in drawn
    }
    labels = _apart({model: course[-1][1] for model, course in courses.items()})
    lines = [
        Line(
            number=place + 1,
            name=names[model],
            colour=place % COLOURS + 1,
            is_dashed=place >= COLOURS,
            points=" ".join(f"{at},{height}" for at, height in courses[model]),
            dots=courses[model],
            label_y=labels[model],
        )
        for place, model in enumerate(drawn)
    ]
    every = round_step(most, 5)
    return PathChart(
        lines,
        [Tick(f"{votes:,}", x(votes)) for votes in range(0, most + 1, every)],
        [Tick(str(rating), y(rating)) for rating in range(lowest, highest + 1, step)],
    )


def _apart(heights: Mapping[str, float]) -> dict[str, float]:
    """The heights moved so that labels don't overlap: down as far as needed, then up again from
    the lower edge."""
    found: dict[str, float] = {}
    for model in sorted(heights, key=lambda model: (heights[model], model)):
        above = max(found.values(), default=-LABEL_HEIGHT)
        found[model] = max(heights[model], above + LABEL_HEIGHT)
    floor = float(HEIGHT - BOTTOM)
    for model in sorted(found, key=lambda model: -found[model]):
        found[model] = round(min(found[model], floor), 2)
        floor = found[model] - LABEL_HEIGHT
    return found
