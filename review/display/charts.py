"""Where the bars of a chart are drawn, in the units of its SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.axes import Tick, round_step

WIDTH, HEIGHT = 480, 180
LEFT, RIGHT, TOP, BOTTOM = 40, 8, 12, 24
GAP = 1.0
MOST_BINS, LEAST_BINS = 20, 8


@dataclass(frozen=True)
class Bar:
    label: str
    value: int
    x: float
    y: float
    width: float
    height: float
    is_labelled: bool

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 2)


@dataclass(frozen=True)
class BarChart:
    bars: list[Bar]
    ticks: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    base: int = HEIGHT - BOTTOM


def draw_bars(values: Sequence[tuple[str, int]], *, labels: int, highest: int = 0) -> BarChart:
    """One bar per (label, value), about `labels` of them labelled.

    `highest` sets the scale where several charts are to be compared.
    """
    highest = max(highest, *(value for _, value in values), 1)
    step = round_step(highest, 4)
    top = step * -(-highest // step)
    room = (WIDTH - LEFT - RIGHT) / len(values)
    every = -(-len(values) // labels)
    base = HEIGHT - BOTTOM

    def y(value: int) -> float:
        return round(base - (base - TOP) * value / top, 2)

    return BarChart(
        bars=[
            Bar(
                label=label,
                value=value,
                x=round(LEFT + place * room + GAP, 2),
                y=y(value),
                width=round(room - 2 * GAP, 2),
                height=round(base - y(value), 2),
                is_labelled=(len(values) - 1 - place) % every == 0,
            )
            for place, (label, value) in enumerate(values)
        ],
        ticks=[Tick(f"{value:,}", y(value)) for value in range(0, top + 1, step)],
    )


def bin_words(counts: Counter[int]) -> list[tuple[str, int]]:
    """Captions per range of word counts, as ("150–174", captions).

    At most MOST_BINS ranges; empty ones beside a few make LEAST_BINS, so that a bar stays a bar.
    """
    if not counts:
        return []
    least, most = min(counts), max(counts)
    width = max(5, round_step(most - least + 1, MOST_BINS - 1))
    first, last = least // width, most // width
    first = max(0, first - max(0, LEAST_BINS - 1 - (last - first)) // 2)
    last = max(last, first + LEAST_BINS - 1)
    bins = Counter[int]()
    for words, captions in counts.items():
        bins[words // width] += captions
    return [
        (f"{number * width}–{(number + 1) * width - 1}", bins[number])
        for number in range(first, last + 1)
    ]
