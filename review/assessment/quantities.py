"""The rows of the table: a number with its interval and its basis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from metrics.agreement import Agreement
from metrics.intervals import ratio_interval, wilson_interval
from metrics.ratings import RatingSummary

N_BOOTSTRAP = 1000
SEED = 0
NO_TIME = "No judgment has a recorded time."


class Timed(NamedTuple):
    """How many seconds a person took for one judgment."""

    seconds: int
    person: Any


@dataclass(frozen=True)
class Base:
    """The basis of a number: `n` units of the row, in so many `judgments` by so many `people`; None
    if a number is not about judgments."""

    n: int
    judgments: int | None = None
    people: int | None = None


@dataclass(frozen=True)
class Quantity:
    """A row of the table; `key` names it (`rows.py`). `value`, or only `low` and `high`, are None
    if undefined, and `reason` says why. Shares are from 0 to 1."""

    key: str
    value: float | None
    low: float | None
    high: float | None
    reason: str
    base: Base


@dataclass(frozen=True)
class Ratio:
    """The sum of some numbers of units over the sum of their sizes, such as the errors of captions
    over their judgments. `sizes` are above 0."""

    sums: Sequence[float] = field(default_factory=list)
    sizes: Sequence[float] = field(default_factory=list)

    def quantity(self, key: str, base: Base, nothing: str) -> Quantity:
        """Return the row, with a bootstrap interval over units. `nothing`: why there may be no
        unit."""
        if not self.sizes:
            return undefined(key, nothing)
        sums, sizes = np.array(self.sums, dtype=float), np.array(self.sizes, dtype=float)
        low, high, reason = ratio_interval(sums, sizes, N_BOOTSTRAP, SEED)
        return Quantity(key, float(sums.sum() / sizes.sum()), low, high, reason, base)


def undefined(key: str, reason: str) -> Quantity:
    return Quantity(key, None, None, None, reason, Base(0))


def share(key: str, count: int, base: Base, nothing: str) -> Quantity:
    """Return the row of `count` of `base.n` units, with Wilson's interval."""
    bounds = wilson_interval(count, base.n)
    if bounds is None:
        return undefined(key, nothing)
    return Quantity(key, count / base.n, *bounds, "", base)


def agreement(key: str, measure: Agreement) -> Quantity:
    base = Base(measure.n_units, measure.n_labels, measure.n_raters)
    return Quantity(key, measure.value, measure.low, measure.high, measure.reason, base)


def mean_rating(key: str, ratings: RatingSummary) -> Quantity:
    base = Base(ratings.n_captions, ratings.n_ratings, ratings.n_raters)
    return Quantity(key, ratings.mean, ratings.low, ratings.high, ratings.reason, base)


def high_ratings(key: str, ratings: RatingSummary) -> Quantity:
    base = Base(ratings.n_ratings, ratings.n_ratings, ratings.n_raters)
    low, high = ratings.high_share_low, ratings.high_share_high
    reason = "" if ratings.n_ratings else ratings.reason
    return Quantity(key, ratings.high_share, low, high, reason, base)


def seconds(key: str, times: Sequence[Timed], nothing: str = NO_TIME) -> Quantity:
    """Return the mean time of a judgment. `nothing`: why there may be no time."""
    people = len({timed.person for timed in times})
    ratio = Ratio([timed.seconds for timed in times], [1] * len(times))
    return ratio.quantity(key, Base(len(times), len(times), people), nothing)
