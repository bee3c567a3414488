"""How alike the labels are, as bars with a threshold, in the units of one SVG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotate.axes import Tick, round_step
from review.pairs.queries import RANGES_TO_ONE

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 16, 28


@dataclass(frozen=True)
class Bar:
    """Pairs from `start` up to but without `end`; `is_above`: all of them reach the threshold."""

    start: float
    end: float
    pairs: int
    is_above: bool
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class SimilarityChart:
    bars: list[Bar]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    threshold_x: float
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    base: int = HEIGHT - BOTTOM


def draw_similarities(ranges: Mapping[int, int], threshold: float) -> SimilarityChart | None:
    """None where there is no pair. The highest range ends at 1 and holds what is 1 itself."""
    if not ranges:
        return None
    # A cosine of exactly 1 opens a range of its own, which belongs to the one before.
    counts: dict[int, int] = {}
    for place, pairs in ranges.items():
        place = min(place, RANGES_TO_ONE - 1)
        counts[place] = counts.get(place, 0) + pairs
    first, last = min(counts), max(*counts, RANGES_TO_ONE - 1)
    step = round_step(max(counts.values()), 4)
    top = step * -(-max(counts.values()) // step)
    base = HEIGHT - BOTTOM

    def x(similarity: float) -> float:
        share = (similarity * RANGES_TO_ONE - first) / (last + 1 - first)
        return round(LEFT + (WIDTH - LEFT - RIGHT) * min(max(share, 0), 1), 2)

    def y(pairs: int) -> float:
        return round(base - (base - TOP) * pairs / top, 2)

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
                height=round(base - y(pairs), 2),
            )
        )
    every = 2 if last - first > 12 else 1
    return SimilarityChart(
        bars=bars,
        x_ticks=[
            Tick(f"{place / RANGES_TO_ONE:.2f}".rstrip("0").rstrip("."), x(place / RANGES_TO_ONE))
            for place in range(first, last + 2)
            if place % every == 0
        ],
        y_ticks=[Tick(f"{pairs:,}", y(pairs)) for pairs in range(0, top + 1, step)],
        threshold_x=x(threshold),
    )
