"""Draw mAP@K in the units of its SVG, with one group of bars per baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.axes import Box, Frame, Framed, Tick, steps_to

FRAME = Frame.within(640, 220, left=40, right=8, top=20, bottom=44)
# the gap between two groups, in bars
GAP = 1.0
HUNDRED = 100


@dataclass(frozen=True, kw_only=True)
class Bar(Box):
    k: int
    percent: float

    @property
    def top(self) -> float:
        return self.y - 4


@dataclass(frozen=True)
class Group:
    name: str
    middle: float
    bars: list[Bar]


@dataclass(frozen=True, kw_only=True)
class MapChart(Framed):
    groups: list[Group]
    ticks: list[Tick]


def draw_map(rows: Sequence[tuple[str, dict[int, float]]]) -> MapChart:
    """Draw `rows`, the name of each baseline with its mAP by K, 0 to 1; there is at least one."""
    highest = max(1, math.ceil(HUNDRED * max(max(scores.values()) for _, scores in rows)))
    steps = steps_to(highest, 4)
    y = FRAME.y(0, steps[-1])
    bars = len(rows[0][1])
    unit = (FRAME.right - FRAME.left) / (len(rows) * (bars + GAP))
    groups = []
    for place, (name, scores) in enumerate(rows):
        start = FRAME.left + unit * (GAP / 2 + place * (bars + GAP))
        drawn = [
            Bar(
                k=k,
                percent=HUNDRED * score,
                x=round(start + number * unit + 1, 2),
                y=y(HUNDRED * score),
                width=round(unit - 2, 2),
                height=y.length(0, HUNDRED * score),
            )
            for number, (k, score) in enumerate(scores.items())
        ]
        groups.append(Group(name, round(start + unit * bars / 2, 2), drawn))
    return MapChart(frame=FRAME, groups=groups, ticks=y.ticks(steps, str))
