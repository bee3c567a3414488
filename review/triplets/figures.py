"""Draw a set's statistics as in TF-CoVR's paper, each figure with its numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from annotate.axes import Tick
from review.display.charts import FRAME, Bar, BarChart, Figure, draw_bars
from review.triplets.queries import Statistics

# Seconds per bar; the last bar has all longer clips.
DURATION_STEP, DURATION_BARS = 0.5, 20
MAX_LABELLED = 12


def figures_of(statistics: Statistics) -> list[Figure]:
    """Return the figures that have data."""
    figures = []
    if statistics.clips_per_label:
        figures.append(_clips_per_label(statistics.clips_per_label))
    if statistics.words:
        figures.append(words_figure(statistics.words))
    if statistics.targets:
        figures.append(targets_figure(statistics.targets))
    if statistics.durations:
        figures.append(_durations(statistics.durations))
    return figures


def _clips_per_label(counts: Sequence[tuple[str, str, int]]) -> Figure:
    numbers = [number for _, _, number in counts]
    mean = sum(numbers) / len(numbers)
    return Figure(
        "labels",
        "Clips per label",
        f"{len(counts)} labels, {min(numbers)} to {max(numbers)} clips, {mean:.1f} on average. "
        "The scale is logarithmic.",
        draw_log_bars([(key, number) for key, _, number in counts]),
        ("Label", "Caption", "Clips"),
        [tuple(row) for row in counts],
    )


def words_figure(words: Counter[int]) -> Figure:
    return _counted(
        "words", "Words of the modification", "words", "Words", words, range(1, max(words) + 1)
    )


def targets_figure(targets: Counter[int]) -> Figure:
    title = "Targets per query, validation and test"
    return _counted("targets", title, "targets", "Targets", targets, range(1, max(targets) + 1))


def _counted(
    name: str, title: str, noun: str, column: str, counts: Counter[int], values: range
) -> Figure:
    total = counts.total()
    mean = sum(value * number for value, number in counts.items()) / total
    summary = f"{min(counts)} to {max(counts)} {noun} per query, {mean:.2f} on average."
    bars = [(str(value), counts[value]) for value in values]
    rows: list[tuple[object, ...]] = [(value, counts[value]) for value in sorted(counts)]
    chart = draw_bars(bars, labels=MAX_LABELLED)
    return Figure(name, title, summary, chart, (column, "Queries"), rows)


def _durations(durations: Sequence[int]) -> Figure:
    seconds = [milliseconds / 1000 for milliseconds in durations]
    bins = Counter(min(int(second / DURATION_STEP), DURATION_BARS - 1) for second in seconds)
    last = max(bins)
    bars = [(f"{place * DURATION_STEP:g}", bins[place]) for place in range(last + 1)]
    summary = (
        f"{seconds[0]:.2f} to {seconds[-1]:.2f} s, {sum(seconds) / len(seconds):.2f} s on average."
    )
    rows: list[tuple[object, ...]] = [
        (_range_of(place, last == DURATION_BARS - 1 and place == last), bins[place])
        for place in sorted(bins)
    ]
    chart = draw_bars(bars, labels=MAX_LABELLED)
    return Figure("durations", "Clip length", summary, chart, ("Seconds", "Clips"), rows)


def _range_of(place: int, is_open: bool) -> str:
    start = f"{place * DURATION_STEP:g}"
    return f"{start} or more" if is_open else f"{start}–{(place + 1) * DURATION_STEP:g}"


def draw_log_bars(values: Sequence[tuple[str, int]]) -> BarChart:
    """Draw one bar per (label, value), at least 1 each, on a logarithmic scale that begins below
    1.
    """
    top = max(1, math.ceil(math.log10(max(value for _, value in values))))
    # A value of 1 must have a visible bar.
    least = -0.15
    room = (FRAME.right - FRAME.left) / len(values)
    gap = min(1.0, room / 8)
    powers = FRAME.y(least, top)

    def y(value: int) -> float:
        return powers(math.log10(value))

    step = -(-len(values) // MAX_LABELLED)
    return BarChart(
        frame=FRAME,
        bars=[
            Bar(
                label=label,
                value=value,
                x=round(FRAME.left + place * room + gap, 2),
                y=y(value),
                width=round(room - 2 * gap, 2),
                height=round(FRAME.base - y(value), 2),
                is_labelled=place % step == 0,
            )
            for place, (label, value) in enumerate(values)
        ],
        ticks=[Tick(f"{10**power:,}", y(10**power)) for power in range(top + 1)],
    )
