"""The similarity of the labels, as bars with a threshold, in the units of one SVG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotate.axes import Box, Frame, Framed, Tick, steps_to
from review.pairs.queries import RANGES_TO_ONE

FRAME = Frame.within(640, 220, left=48, right=12, top=16, bottom=28)


@dataclass(frozen=True, kw_only=True)
class Bar(Box):
    """Pairs from `start` up to but without `end`; `is_above`: all of them reach the threshold."""

    start: float
    end: float
    pairs: int
    is_above: bool


@dataclass(frozen=True, kw_only=True)
class SimilarityChart(Framed):
    bars: list[Bar]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    threshold_x: float


def draw_similarities(ranges: Mapping[int, int], threshold: float) -> SimilarityChart | None:
    """Draw the chart; return None without pairs. The highest range ends at 1 and includes 1."""
    if not ranges:
        return None
    # A cosine of exactly 1 begins a range of its own, which is merged into the one before.
    counts: dict[int, int] = {}
    for place, pairs in ranges.items():
        place = min(place, RANGES_TO_ONE - 1)
        counts[place] = counts.get(place, 0) + pairs
    first, last = min(counts), max(*counts, RANGES_TO_ONE - 1)
    steps = steps_to(max(counts.values()), 4)
    ranges_x, y = FRAME.x(first, last + 1), FRAME.y(0, steps[-1])

    def x(similarity: float) -> float:
        return ranges_x.inside(similarity * RANGES_TO_ONE)

    bars = []
    for place in range(first, last + 1):
        start, end = place / RANGES_TO_ONE, (place + 1) / RANGES_TO_ONE
        pairs = counts.get(place, 0)
        bars.append(
            Bar(
                start=start,
                end=end,
                pairs=pairs,
                is_above=start >= threshold,
                x=x(start) + 0.5,
                y=y(pairs),
                width=round(x(end) - x(start) - 1, 2),
                height=y.length(0, pairs),
            )
        )
    step = 2 if last - first > 12 else 1
    return SimilarityChart(
        frame=FRAME,
        bars=bars,
        x_ticks=[
            Tick(f"{place / RANGES_TO_ONE:.2f}".rstrip("0").rstrip("."), x(place / RANGES_TO_ONE))
            for place in range(first, last + 2)
            if place % step == 0
        ],
        y_ticks=y.ticks(steps),
        threshold_x=x(threshold),
    )
