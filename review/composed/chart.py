"""Where the bars of mAP@K are drawn, in the units of its SVG: a group of bars a baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.axes import Tick, round_step

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 40, 8, 20, 44
# Between two groups, in bars.
GAP = 1.0
HUNDRED = 100


@dataclass(frozen=True)
class Bar:
    k: int
    percent: float
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 2)

    @property
    def top(self) -> float:
        return self.y - 4


@dataclass(frozen=True)
class Group:
    name: str
    middle: float
    bars: list[Bar]


@dataclass(frozen=True)
class MapChart:
    groups: list[Group]
    ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    base: int = HEIGHT - BOTTOM


def draw_map(rows: Sequence[tuple[str, dict[int, float]]]) -> MapChart:
    """`rows`: the name of each baseline with its mAP by K, 0 to 1; there is at least one."""
    highest = max(1, math.ceil(HUNDRED * max(max(scores.values()) for _, scores in rows)))
    step = round_step(highest, 4)
    top = step * -(-highest // step)
    bars = len(rows[0][1])
    unit = (WIDTH - LEFT - RIGHT) / (len(rows) * (bars + GAP))
    base = HEIGHT - BOTTOM

    def y(percent: float) -> float:
        return round(base - (base - TOP) * percent / top, 2)

    groups = []
    for place, (name, scores) in enumerate(rows):
        start = LEFT + unit * (GAP / 2 + place * (bars + GAP))
        drawn = [
            Bar(
                k=k,
                percent=HUNDRED * score,
                x=round(start + number * unit + 1, 2),
                y=y(HUNDRED * score),
                width=round(unit - 2, 2),
                height=round(base - y(HUNDRED * score), 2),
            )
            for number, (k, score) in enumerate(scores.items())
        ]
        groups.append(Group(name, round(start + unit * bars / 2, 2), drawn))
    return MapChart(groups, [Tick(f"{percent}", y(percent)) for percent in range(0, top + 1, step)])
