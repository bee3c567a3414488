"""A line a model and direction: the recalls at each K as points on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.axes import Tick
from review.retrieval.rows import HUNDRED, ModelRow

WIDTH = 380
LEFT, RIGHT, TOP, BOTTOM = 10, 16, 8, 28
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


@dataclass(frozen=True)
class SpreadChart:
    groups: list[Group]
    height: int
    width: int = WIDTH
    left: int = LEFT
    right: int = WIDTH - RIGHT

    @property
    def base(self) -> int:
        return self.height - BOTTOM

    @property
    def ticks(self) -> list[Tick]:
        return [Tick(f"{percent}", _x(percent)) for percent in range(0, HUNDRED + 1, STEP)]


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
                Point(f"{title}, R@{k}: {value:.1f} %", _x(value))
                for k, value in values.items()
                if value is not None
            ]
            if points:
                lines.append(Line(way, y + NAME + LINE * (len(lines) + 0.5), points))
        groups.append(Group(_name(row), y + NAME - 5, lines))
        y += NAME + LINE * max(1, len(lines)) + GAP
    return SpreadChart(groups, height=int(y) + BOTTOM)


def _x(percent: float) -> float:
    return round(LEFT + (WIDTH - RIGHT - LEFT) * percent / HUNDRED, 2)


def _name(row: ModelRow) -> str:
    """Short enough to stand on one line; the table has it whole."""
    room = max(1, LONGEST_NAME - len(row.frames) - 2)
    model = row.model if len(row.model) <= room else f"{row.model[: room - 1]}…"
    return f"{model}, {row.frames}"
