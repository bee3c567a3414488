"""Where the bars of a distribution of scores are drawn, in the units of its SVG."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from annotate.histogram import round_step
from inference.charts import Tick

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, TOP, BOTTOM = 40, 12, 22, 36
# Scores are counted in ranges of 0.05, and shown in wider ones where these were too many. Scores
# are multiplied by this, never divided by 0.05: 0.15 would fall under 0.15.
RANGES_TO_ONE = 20
MOST_RANGES, LEAST_RANGES, MOST_LABELS = 30, 8, 10


@dataclass(frozen=True)
class Range:
    """Scores from `start` up to but without `end`."""

    start: float
    end: float
    captions: int
    newest: int


@dataclass(frozen=True)
class Bar:
    range: Range
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class ScoreChart:
    """`threshold_x` is where the threshold stands, inside the chart always."""

    bars: list[Bar]
    ranges: list[Range]
    threshold_x: float
    label_end: bool
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    base: int = HEIGHT - BOTTOM


def draw_scores(counts: Mapping[int, tuple[int, int]], threshold: float) -> ScoreChart:
    """`counts` has (captions, newest captions of their clips) by the number of a range that
    begins at number / RANGES_TO_ONE; at least one."""
    least = min(*counts, math.floor(threshold * RANGES_TO_ONE))
    most = max(*counts, math.floor(threshold * RANGES_TO_ONE))
    merged = next(n for n in (1, 2, 4, 10, 20, 40, 100, 1000) if (most - least) < n * MOST_RANGES)
    captions, newest = Counter[int](), Counter[int]()
    for number, (of_all, of_newest) in counts.items():
        captions[number // merged] += of_all
        newest[number // merged] += of_newest
    first, last = least // merged, most // merged
    last = max(last, first + LEAST_RANGES - 1)
    step = merged / RANGES_TO_ONE
    ranges = [
        Range(round(n * step, 2), round((n + 1) * step, 2), captions[n], newest[n])
        for n in range(first, last + 1)
    ]
    lowest, room = ranges[0].start, ranges[-1].end - ranges[0].start
    y_step = round_step(max(captions.values()), 4)
    top_value = y_step * -(-max(captions.values()) // y_step)
    base = HEIGHT - BOTTOM

    def x(score: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (score - lowest) / room, 2)

    def y(number: int) -> float:
        return round(base - (base - TOP) * number / top_value, 2)

    every = -(-len(ranges) // MOST_LABELS)
    edges = [*(found.start for found in ranges), ranges[-1].end]
    return ScoreChart(
        bars=[
            Bar(
                found,
                x(found.start) + 0.5,
                y(found.captions),
                round(x(found.end) - x(found.start) - 1, 2),
                round(base - y(found.captions), 2),
            )
            for found in ranges
            if found.captions
        ],
        ranges=[found for found in ranges if found.captions],
        threshold_x=x(threshold),
        label_end=x(threshold) > WIDTH * 0.75,
        x_ticks=[Tick(f"{edge:.2f}", x(edge)) for edge in edges[::every]],
        y_ticks=[Tick(f"{n:,}", y(n)) for n in range(0, top_value + 1, y_step)],
    )
