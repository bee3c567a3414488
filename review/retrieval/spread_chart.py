"""A line a model and direction: the recalls at each K as points on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.axes import Frame, Framed, Scale, Tick, shortened
from review.retrieval.rows import HUNDRED, ModelRow

WIDTH = 380
LEFT, RIGHT, TOP, BOTTOM = 10, 16, 8, 28
X = Scale(0, HUNDRED, LEFT, WIDTH - RIGHT)
NAME, LINE, GAP = 18, 18, 10
STEP = 20
LONGEST_NAME = 60


@dataclass(frozen=True)
class Point:
    label: str
    x: float


@dataclass(frozen=True)
class Line:
    """`kind`: which style it has."""

    kind: str
    y: float
    points: list[Point]

    @property
    def start(self) -> float:
        return min(point.x for point in self.points)

    @property
    def end(self) -> float:
        return max(point.x for point in self.points)


@dataclass(frozen=True)
class Group:
    name: str
    y: float
    lines: list[Line]


@dataclass(frozen=True, kw_only=True)
class SpreadChart(Framed):
    groups: list[Group]
    ticks: list[Tick]


def draw_recalls(rows: Sequence[ModelRow], kind: str) -> SpreadChart:
    """Two lines a model, text to video and video to text, on a scale from 0 to 100 %."""
    groups, y = [], float(TOP)
    for row in rows:
        found = row.recalls[kind]
        lines: list[Line] = []
        for way, title, values in (
            ("t2v", "Text to video", found.t2v),
            ("v2t", "Video to text", found.v2t),
        ):
            points = [
                Point(f"{title}, R@{k}: {value:.1f} %", X(value))
                for k, value in values.items()
                if value is not None
            ]
            if points:
                lines.append(Line(way, y + NAME + LINE * (len(lines) + 0.5), points))
        groups.append(Group(_name(row), y + NAME - 5, lines))
        y += NAME + LINE * max(1, len(lines)) + GAP
    frame = Frame.within(WIDTH, int(y) + BOTTOM, left=LEFT, right=RIGHT, top=TOP, bottom=BOTTOM)
    ticks = X.ticks(range(0, HUNDRED + 1, STEP), str)
    return SpreadChart(frame=frame, groups=groups, ticks=ticks)


def _name(row: ModelRow) -> str:
    """Short enough to stand on one line; the table has it whole."""
    room = max(1, LONGEST_NAME - len(row.frames) - 2)
    return f"{shortened(row.model, room)}, {row.frames}"
