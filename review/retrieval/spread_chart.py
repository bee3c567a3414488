"""Draw a line for each model and direction, with the recalls at each K as points."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.axes import Scale
from review.reports.cells import HUNDRED
from review.reports.charts import (
    LEFT,
    RIGHT,
    WIDTH,
    GroupChart,
    Line,
    Point,
    named_with,
    stack_groups,
)
from review.retrieval.rows import ModelRow, Recalls

X = Scale(0, HUNDRED, LEFT, WIDTH - RIGHT)
STEP = 20


def draw_recalls(rows: Sequence[ModelRow], kind: str) -> GroupChart:
    """Draw two lines per model, text to video and video to text, on a scale from 0 to 100 %."""
    groups, frame = stack_groups(
        (named_with(row.model, row.frames), _lines(row.recalls[kind])) for row in rows
    )
    return GroupChart(frame=frame, groups=groups, ticks=X.ticks(range(0, HUNDRED + 1, STEP), str))


def _lines(recalls: Recalls) -> list[Line]:
    lines = []
    for style, title, values in (
        ("first", "Text to video", recalls.t2v),
        ("second", "Video to text", recalls.v2t),
    ):
        points = [
            Point(X(value), f"{title}, R@{k}: {value:.1f} %")
            for k, value in values.items()
            if value is not None
        ]
        if points:
            places = [point.x for point in points]
            lines.append(Line(style, min(places), max(places), points))
    return lines
