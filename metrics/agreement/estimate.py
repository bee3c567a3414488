"""The result of every measure of agreement."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from metrics.agreement.labels import LabelTable
from metrics.intervals import Array, percentile_interval, resampled

VERSION = 1
ONE_CATEGORY = "All labels are the same, so agreement beyond chance is undefined."


@dataclass(frozen=True)
class Agreement:
    """A measure with its 95 % percentile bootstrap interval over units (never over raters).

    1 is perfect, and 0 is chance level except for percent agreement. `value`, or only `low` and
    `high`, are None if undefined, and `reason` says why. `distance`: the distance function of two
    labels (nominal: equal or not). The counts cover what was compared: units with two or more
    labels, their raters and labels, and the pairs of labels within units. `n_rater_pairs_left_out`:
    pairs of raters that share units but whose kappa is undefined; a mean over pairs leaves them
    out. `n_defined`: resamples with a value.
    """

    measure: str
    distance: str
    scale: tuple[Hashable, ...] | None
    value: float | None
    low: float | None
    high: float | None
    reason: str
    n_units: int
    n_raters: int
    n_labels: int
    n_pairs: int
    n_rater_pairs_left_out: int
    n_bootstrap: int
    n_defined: int
    seed: int
    version: int = VERSION


def estimate(
    statistic: Callable[[Array], Array],
    table: LabelTable,
    *,
    measure: str,
    distance: str,
    scale: Sequence[Hashable] | None,
    n_bootstrap: int,
    seed: int,
    reason: str = "",
    undefined: str = ONE_CATEGORY,
    n_rater_pairs_left_out: int = 0,
) -> Agreement:
    """Evaluate `statistic` on all units and on resamples of them.

    `statistic` takes how often each unit counts, (rows, n_units), and returns one value per row,
    NaN if undefined for the reason `undefined`. `reason`: why it can't be evaluated at all, or "".
    """
    reason = table.reason or reason
    value = float("nan") if reason else float(statistic(np.ones((1, table.n_units)))[0])
    low, high, n_defined = None, None, 0
    if isnan(value):
        reason = reason or undefined
    else:
        width = max(table.n_labels, len(table.values))
        resamples = resampled(statistic, table.n_units, n_bootstrap, seed, width)
        n_defined = len(resamples)
        low, high, reason = percentile_interval(resamples, table.n_units, n_bootstrap)
    return Agreement(
        measure=measure,
        distance=distance,
        scale=None if scale is None else tuple(scale),
        value=None if isnan(value) else value,
        low=low,
        high=high,
        reason=reason,
        n_units=table.n_units,
        n_raters=table.n_raters,
        n_labels=table.n_labels,
        n_pairs=table.n_pairs,
        n_rater_pairs_left_out=n_rater_pairs_left_out,
        n_bootstrap=n_bootstrap,
        n_defined=n_defined,
        seed=seed,
    )
