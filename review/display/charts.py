"""Where the bars of a chart are drawn, in the units of its SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.axes import Box, Frame, Framed, Tick, round_step, steps_to

FRAME = Frame.within(480, 180, left=40, right=8, top=12, bottom=24)
GAP = 1.0
MAX_BINS, MIN_BINS = 20, 8


@dataclass(frozen=True, kw_only=True)
class Bar(Box):
    label: str
    value: int
    is_labelled: bool


@dataclass(frozen=True, kw_only=True)
class BarChart(Framed):
    bars: list[Bar]
    ticks: list[Tick]


@dataclass(frozen=True)
class Figure:
    """`rows` are the numbers of the picture, under `columns`; `summary` gives them in a line."""

    name: str
    title: str
    summary: str
    chart: BarChart
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]


def draw_bars(values: Sequence[tuple[str, int]], *, labels: int, highest: int = 0) -> BarChart:
    """Draw one bar per (label, value), with about `labels` labels.

    `highest` sets the scale, to make charts comparable.
    """
    highest = max(highest, *(value for _, value in values), 1)
    steps = steps_to(highest, 4)
    y = FRAME.y(0, steps[-1])
    room = (FRAME.right - FRAME.left) / len(values)
    step = -(-len(values) // labels)
    return BarChart(
        frame=FRAME,
        bars=[
            Bar(
                label=label,
                value=value,
                x=round(FRAME.left + place * room + GAP, 2),
                y=y(value),
                width=round(room - 2 * GAP, 2),
                height=y.length(0, value),
                is_labelled=(len(values) - 1 - place) % step == 0,
            )
            for place, (label, value) in enumerate(values)
        ],
        ticks=y.ticks(steps),
    )


def bin_words(counts: Counter[int]) -> list[tuple[str, int]]:
    """Count captions per range of word counts, as ("150–174", captions).

    At most MAX_BINS ranges; a few are padded with empty ones to MIN_BINS, so that bars keep
    their width.
    """
    if not counts:
        return []
    least, most = min(counts), max(counts)
    width = max(5, round_step(most - least + 1, MAX_BINS - 1))
    first, last = least // width, most // width
    first = max(0, first - max(0, MIN_BINS - 1 - (last - first)) // 2)
    last = max(last, first + MIN_BINS - 1)
    bins = Counter[int]()
    for words, captions in counts.items():
        bins[words // width] += captions
    return [
        (f"{number * width}–{(number + 1) * width - 1}", bins[number])
        for number in range(first, last + 1)
    ]
