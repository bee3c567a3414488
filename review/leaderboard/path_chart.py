"""Draw ratings over the votes of a round, in the units of their SVG, with one line per model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.axes import Frame, Framed, Tick, apart, round_step
from review.display.scale import bounds
from review.leaderboard.computing import EloPoint

FRAME = Frame.within(480, 270, left=52, right=32, top=12, bottom=44)
# The number of chart colors; the next six lines are dashed.
COLORS = 6
MAX_LINES = 2 * COLORS
LABEL_HEIGHT = 14


@dataclass(frozen=True)
class Line:
    """A line; `number` counts models from 1 and is drawn at the line's end, at `label_y`."""

    number: int
    name: str
    color: int
    is_dashed: bool
    points: str
    dots: list[tuple[float, float]]
    label_y: float


@dataclass(frozen=True, kw_only=True)
class PathChart(Framed):
    lines: list[Line]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    label_x: int = FRAME.right + 8


def draw_path(
    path: Sequence[EloPoint], names: Mapping[str, str], order: Sequence[str]
) -> PathChart | None:
    """Draw the first MAX_LINES models of `order`; return None without models."""
    drawn = [model for model in order[:MAX_LINES] if any(model in p.ratings for p in path)]
    if not drawn:
        return None
    lowest, highest, step = bounds(
        (p.ratings[model] for p in path for model in drawn if model in p.ratings), 5
    )
    most = path[-1].votes
    x, y = FRAME.x(0, most), FRAME.y(lowest, highest)
    courses = {
        model: [(x(p.votes), y(p.ratings[model])) for p in path if model in p.ratings]
        for model in drawn
    }
    labels = apart(
        {model: course[-1][1] for model, course in courses.items()}, LABEL_HEIGHT, FRAME.base
    )
    lines = [
        Line(
            number=place + 1,
            name=names[model],
            color=place % COLORS + 1,
            is_dashed=place >= COLORS,
            points=" ".join(f"{at},{height}" for at, height in courses[model]),
            dots=courses[model],
            label_y=labels[model],
        )
        for place, model in enumerate(drawn)
    ]
    return PathChart(
        frame=FRAME,
        lines=lines,
        x_ticks=x.ticks(range(0, most + 1, round_step(most, 5))),
        y_ticks=y.ticks(range(lowest, highest + 1, step), str),
    )
