"""A line a model: the recalls at each K as points on it, or ReBias with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.axes import Tick, round_step
from review.recall.rows import HUNDRED, ModelRow

WIDTH = 520
LEFT, RIGHT, TOP, BOTTOM = 12, 24, 8, 28
NAME, LINE, GAP = 18, 18, 10


@dataclass(frozen=True)
class Point:
    label: str
    x: float


@dataclass(frozen=True)
class Line:
    """`kind`: which style it has. `start` to `end` in the chart's units."""

    kind: str
    title: str
    y: float
    start: float
    end: float
    points: list[Point]


@dataclass(frozen=True)
class Group:
    name: str
    y: float
    lines: list[Line]


@dataclass(frozen=True)
class SpreadChart:
    groups: list[Group]
    ticks: list[Tick]
    height: int
    width: int = WIDTH
    left: int = LEFT
    right: int = WIDTH - RIGHT

    @property
    def base(self) -> int:
        return self.height - BOTTOM


def draw_recalls(rows: Sequence[ModelRow], kind: str) -> SpreadChart:
    """Two lines a model, text to video and video to text, from the recall at the least K to that at
    the greatest, on a scale from 0 to 100 %."""
    groups = []
    for row in rows:
        found = row.recalls[kind]
        lines = []
        for way, title, values in (
            ("t2v", "Text to video", found.t2v),
            ("v2t", "Video to text", found.v2t),
        ):
            known = [(f"R@{k}", value) for k, value in values.items() if value is not None]
            if known:
                lines.append((way, title, known))
        groups.append((f"{row.model}, {row.frames}", lines))
    return _draw(groups, HUNDRED)


def draw_rebias(rows: Sequence[ModelRow]) -> SpreadChart | None:
    """The interval of each model's ReBias as Table 5 has it, and its value; None where no model has
    one."""
    groups = []
    for row in rows:
        bias = row.table5
        if bias is None or bias.value is None:
            continue
        ends = [bias.value if end is None else end for end in (bias.low, bias.high)]
        values = [("", ends[0]), ("ReBias", bias.value), ("", ends[1])]
        groups.append((f"{row.model}, {row.frames}", [("rebias", "ReBias", values)]))
    if not groups:
        return None
    highest = max(value for _, lines in groups for line in lines for _, value in line[2])
    return _draw(groups, max(1, math.ceil(highest)))


def _draw(
    groups: Sequence[tuple[str, list[tuple[str, str, list[tuple[str, float]]]]]], highest: int
) -> SpreadChart:
    step = round_step(highest, 5)
    top = step * -(-highest // step)

    def x(percent: float) -> float:
        return round(LEFT + (WIDTH - RIGHT - LEFT) * percent / top, 2)

    drawn, y = [], float(TOP)
    for name, lines in groups:
        at = y + NAME
        placed = [
            Line(
                kind=kind,
                title=title,
                y=at + LINE * (number + 0.5),
                start=min(x(value) for _, value in values),
                end=max(x(value) for _, value in values),
                points=[
                    Point(f"{title}, {label}: {value:.1f} %", x(value))
                    for label, value in values
                    if label
                ],
            )
            for number, (kind, title, values) in enumerate(lines)
        ]
        drawn.append(Group(name, y + NAME - 5, placed))
        y = at + LINE * max(1, len(lines)) + GAP
    ticks = [Tick(f"{percent}", x(percent)) for percent in range(0, top + 1, step)]
    return SpreadChart(drawn, ticks, height=int(y) + BOTTOM)
