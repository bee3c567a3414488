"""Draw errors against score (LoVR, Figure 4a) above the distribution of scores, in the units of one
SVG.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from annotate.axes import Box, Scale, Tick, steps_to
from inference.scores.services import MAXIMUM, MINIMUM
from metrics.threshold import MonotoneFit, ThresholdEstimate

WIDTH, LEFT, RIGHT = 720, 44, 16
# Above, the errors of the sample; below, the number of captions by score.
TOP, ERRORS_BASE, SCORES_TOP, SCORES_BASE, BOTTOM = 24, 244, 268, 344, 38
# Scores are counted in ranges of 0.05, or wider ones if there would be too many. Multiply scores by
# this instead of dividing by 0.05: rounding would put 0.15 into the range below.
RANGES_TO_ONE = 20
MAX_RANGES, MIN_RANGES, MAX_LABELS = 30, 8, 10


@dataclass(frozen=True)
class Range:
    """Scores from `start` up to but excluding `end`: the number of current machine captions, the
    number of captions in the sample, their mean errors with standard deviation, and the share with
    an error; None if there are too few.
    """

    start: float
    end: float
    captions: int
    sampled: int
    mean: float | None
    spread: float | None
    faulty: float | None

    @property
    def faulty_percent(self) -> float | None:
        return None if self.faulty is None else 100 * self.faulty


@dataclass(frozen=True, kw_only=True)
class Bar(Box):
    range: Range


@dataclass(frozen=True)
class Mean:
    """The mean errors of a range, plus and minus one standard deviation."""

    range: Range
    x: float
    y: float
    low_y: float
    high_y: float


@dataclass(frozen=True)
class Figure:
    """`points` is a path with a dot for each caption of the sample, `fit` the monotone fit, and
    `band` (x, width) the estimate's interval; these are empty or None without an estimate.
    """

    ranges: list[Range]
    bars: list[Bar]
    points: str
    means: list[Mean]
    fit: str
    band: tuple[float, float] | None
    estimate_x: float | None
    current_x: float
    chosen_x: float
    lowest: float
    highest: float
    x_ticks: list[Tick]
    count_ticks: list[Tick]
    error_ticks: list[Tick]
    width: int = WIDTH
    height: int = SCORES_BASE + BOTTOM
    left: int = LEFT
    right: int = WIDTH - RIGHT
    scores_top: int = SCORES_TOP
    scores_base: int = SCORES_BASE
    errors_base: int = ERRORS_BASE

    @property
    def slider(self) -> tuple[float, float]:
        """Return the ends of the slider below the figure: those of its axis, as far as a threshold
        can have them.
        """
        return max(self.lowest, MINIMUM), min(self.highest, MAXIMUM)

    @property
    def top(self) -> int:
        return TOP if self.points else SCORES_TOP

    @property
    def crop(self) -> int:
        """Return the top of the picture, which is lower without a sample."""
        return self.top - TOP

    @property
    def drawn(self) -> int:
        return self.height - self.crop

    @property
    def band_height(self) -> int:
        return self.scores_base - self.top


def draw_figure(
    values: Iterable[float],
    sample: Sequence[tuple[float, float]],
    *,
    current: float,
    chosen: float,
    estimate: ThresholdEstimate | None,
    fit: MonotoneFit | None,
) -> Figure:
    """Draw `values`, the scores of the current machine captions, and `sample`, the (score, mean
    errors) of each caption that people have judged, with a report's `estimate` and `fit`.
    """
    ranges = count_ranges(values, sample, [current])
    lowest, highest = ranges[0].start, ranges[-1].end
    counts = steps_to(max(1, *(range_.captions for range_ in ranges)), 3)
    top_errors = max((errors for _, errors in sample), default=0) or 1
    error_steps = steps_to(math.ceil(top_errors), 5)
    most_errors = error_steps[-1]

    x = Scale(lowest, highest, LEFT, WIDTH - RIGHT).inside
    count_y = Scale(0, counts[-1], SCORES_BASE, SCORES_TOP)
    error_y = Scale(0, most_errors, ERRORS_BASE, TOP).inside
    estimated = estimate.threshold if estimate else None
    low, high = (estimate.low, estimate.high) if estimate else (None, None)
    step = ranges[0].end - ranges[0].start
    every = -(-len(ranges) // MAX_LABELS)
    edges = [*(range_.start for range_ in ranges), highest]
    return Figure(
        ranges=[range_ for range_ in ranges if range_.captions or range_.sampled],
        bars=[
            Bar(
                range=range_,
                x=x(range_.start) + 0.5,
                y=count_y(range_.captions),
                width=round(x(range_.end) - x(range_.start) - 1, 2),
                height=count_y.length(0, range_.captions),
            )
            for range_ in ranges
            if range_.captions
        ],
        points="".join(f"M{x(score):g} {error_y(errors):g}h0" for score, errors in sample),
        means=[
            Mean(
                range_,
                x((range_.start + range_.end) / 2),
                error_y(range_.mean),
                error_y(range_.mean - (range_.spread or 0)),
                error_y(range_.mean + (range_.spread or 0)),
            )
            for range_ in ranges
            if range_.mean is not None
        ],
        fit=_steps([(x(score), error_y(level)) for score, level in _fitted(fit)]),
        band=None if low is None or high is None else (x(low), round(x(high) - x(low), 2)),
        estimate_x=None if estimated is None else x(estimated),
        current_x=x(current),
        chosen_x=x(chosen),
        lowest=lowest,
        highest=highest,
        x_ticks=[Tick(f"{edge:z.2f}", x(edge)) for edge in edges if not round(edge / step) % every],
        count_ticks=count_y.ticks(counts),
        error_ticks=[Tick(str(number), error_y(number)) for number in error_steps]
        if sample
        else [],
    )


def count_ranges(
    values: Iterable[float], sample: Sequence[tuple[float, float]], inside: Iterable[float]
) -> list[Range]:
    """Return at least MIN_RANGES ranges of equal width that contain all scores and `inside`,
    lowest first.
    """
    fine = Counter(math.floor(value * RANGES_TO_ONE) for value in values)
    places = [math.floor(score * RANGES_TO_ONE) for score, _ in sample]
    edges = [*fine, *places, *(math.floor(value * RANGES_TO_ONE) for value in inside)]
    least, most = min(edges), max(edges)
    merged = next(n for n in (1, 2, 4, 10, 20, 40, 100, 1000) if (most - least) < n * MAX_RANGES)
    captions = Counter[int]()
    for number, count in fine.items():
        captions[number // merged] += count
    errors: dict[int, list[float]] = {}
    for place, (_, mean) in zip(places, sample, strict=True):
        errors.setdefault(place // merged, []).append(mean)
    first = least // merged
    last = max(most // merged, first + MIN_RANGES - 1)
    step = merged / RANGES_TO_ONE
    return [
        Range(
            start=round(number * step, 2),
            end=round((number + 1) * step, 2),
            captions=captions[number],
            sampled=len(range_errors := errors.get(number, [])),
            mean=fmean(range_errors) if range_errors else None,
            spread=stdev(range_errors) if len(range_errors) > 1 else None,
            faulty=sum(mean > 0 for mean in range_errors) / len(range_errors)
            if range_errors
            else None,
        )
        for number in range(first, last + 1)
    ]


def _fitted(fit: MonotoneFit | None) -> list[tuple[float, float]]:
    return list(zip(fit.scores, fit.fitted, strict=True)) if fit else []


def _steps(places: Sequence[tuple[float, float]]) -> str:
    """Return a step path that falls half-way between two points of different height."""
    if not places:
        return ""
    x_before, y_before = places[0]
    path = f"M{x_before:g} {y_before:g}"
    for x, y in places[1:]:
        if y != y_before:
            path += f"H{(x_before + x) / 2:g}V{y:g}"
        x_before, y_before = x, y
    return f"{path}H{x_before:g}"
