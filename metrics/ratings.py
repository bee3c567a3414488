"""Ratings of captions from 0 to 5 (LoVR appendix B.4), for captions and raters.

5: perfect match, no factual or descriptive errors. 4: minor issues but overall accurate.
3: moderate mismatch or ambiguity. 2: significant inaccuracies. 1: nearly irrelevant.
0: completely unrelated.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from reprlib import repr as brief
from statistics import fmean, stdev

import numpy as np

from metrics.intervals import Array, ratio_interval, wilson_interval

VERSION = 1
SCALE = range(6)
HIGH = 4

Rating = tuple[Hashable, Hashable, object]


@dataclass(frozen=True)
class CaptionMean:
    """The mean of a caption's `n` ratings."""

    caption: Hashable
    mean: float
    n: int


@dataclass(frozen=True)
class RaterShift:
    """How much higher or lower a person rates than others, in points of the scale.

    `shift`: the mean difference between the person's rating and the mean of the others' ratings of
    the same caption, over the `n_compared` captions that others rated too; None without any, and
    `reason` says so. `above_mean`: the mean of all their ratings minus the mean of all ratings,
    which also depends on which captions the person got.
    """

    rater: Hashable
    n: int
    n_compared: int
    shift: float | None
    reason: str
    above_mean: float


@dataclass(frozen=True)
class RatingSummary:
    """Statistics of ratings from 0 to 5; undefined values are None, and `reason` says why.

    `low` and `high`: 95 % percentile bootstrap interval of the mean over captions. `sd`: of the
    ratings, with n - 1. `histogram[r]`: how many ratings are r. `high_share`: the share of 4 and 5,
    with Wilson's 95 % interval, which assumes independent ratings. Ratings of one caption or one
    person are not independent, so the true uncertainty is at least as large.
    """

    n_ratings: int
    n_captions: int
    n_raters: int
    mean: float | None
    low: float | None
    high: float | None
    reason: str
    sd: float | None
    histogram: tuple[int, ...]
    high_share: float | None
    high_share_low: float | None
    high_share_high: float | None
    captions: tuple[CaptionMean, ...]
    raters: tuple[RaterShift, ...]
    n_bootstrap: int
    seed: int
    version: int = VERSION


def rating_of(value: object) -> int:
    """Return `value` if it is an int from 0 to 5.

    Raises ValueError for anything else. 5.0, "5", True and numbers of other libraries point to a
    bug, which rounding would hide.
    """
    if type(value) is not int or value not in SCALE:
        raise ValueError(f"{brief(value)} is not a rating: give a whole number from 0 to 5")
    return value


def summarize_ratings(
    ratings: Sequence[Rating], n_bootstrap: int = 1000, seed: int = 0
) -> RatingSummary:
    """Summarize (rater, caption, value) rows, with one rating per person and caption.

    Captions and raters are in the order in which the rows first name them. Raises ValueError for a
    second rating of a caption by the same person, and as `rating_of` does.
    """
    by_caption: dict[Hashable, dict[Hashable, int]] = {}
    by_rater: dict[Hashable, dict[Hashable, int]] = {}
    for rater, caption, value in ratings:
        if rater in by_caption.setdefault(caption, {}):
            raise ValueError(f"{rater!r} rated {caption!r} twice; give one rating")
        by_caption[caption][rater] = rating_of(value)
        by_rater.setdefault(rater, {})[caption] = by_caption[caption][rater]

    values = [value for of_raters in by_caption.values() for value in of_raters.values()]
    totals = np.array([sum(of_raters.values()) for of_raters in by_caption.values()], dtype=float)
    sizes = np.array([len(of_raters) for of_raters in by_caption.values()], dtype=float)
    low, high, reason = _mean_interval(totals, sizes, n_bootstrap, seed)
    n_high = sum(value >= HIGH for value in values)
    high_low, high_high = wilson_interval(n_high, len(values)) or (None, None)
    return RatingSummary(
        n_ratings=len(values),
        n_captions=len(by_caption),
        n_raters=len(by_rater),
        mean=fmean(values) if values else None,
        low=low,
        high=high,
        reason=reason,
        sd=stdev(values) if len(values) > 1 else None,
        histogram=tuple(values.count(rating) for rating in SCALE),
        high_share=n_high / len(values) if values else None,
        high_share_low=high_low,
        high_share_high=high_high,
        captions=tuple(
            CaptionMean(caption, fmean(of_raters.values()), len(of_raters))
            for caption, of_raters in by_caption.items()
        ),
        raters=tuple(
            _shift(rater, of_raters, by_caption, fmean(values))
            for rater, of_raters in by_rater.items()
        ),
        n_bootstrap=n_bootstrap,
        seed=seed,
    )


def _mean_interval(
    totals: Array, sizes: Array, n_bootstrap: int, seed: int
) -> tuple[float | None, float | None, str]:
    if not len(totals):
        return None, None, "There are no ratings yet."
    return ratio_interval(totals, sizes, n_bootstrap, seed)


def _shift(
    rater: Hashable,
    ratings: dict[Hashable, int],
    by_caption: dict[Hashable, dict[Hashable, int]],
    overall: float,
) -> RaterShift:
    differences = []
    for caption, own in ratings.items():
        others = [value for other, value in by_caption[caption].items() if other != rater]
        if others:
            differences.append(own - fmean(others))
    return RaterShift(
        rater=rater,
        n=len(ratings),
        n_compared=len(differences),
        shift=fmean(differences) if differences else None,
        reason="" if differences else "Nobody else has rated the same captions.",
        above_mean=fmean(ratings.values()) - overall,
    )
