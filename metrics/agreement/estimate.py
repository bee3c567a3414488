"""What every measure of agreement returns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from metrics.agreement.labels import LabelTable
from metrics.intervals import Array, percentile_interval, resampled

VERSION = 1
ONE_CATEGORY = "Every label is the same, so agreement beyond chance is not defined."


@dataclass(frozen=True)
class Agreement:
    """A measure with its 95 % percentile bootstrap interval over units (never over raters).

    1 is perfect; 0, but for percent agreement, what chance would give. `value`, or only `low` and
    `high`, are None where they are not defined, and `reason` says why. `distance`: how far two
    labels are apart (nominal: equal or not). The counts are of what was compared: units with two
    labels or more, their raters and labels, and the pairs of labels of one unit.
    `n_rater_pairs_left_out`: pairs of raters that share units but have no kappa, which a mean
    over pairs leaves out. `n_defined`: resamples that have a value.
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

    It takes how often each unit counts, (rows, n_units), and returns a value a row, NaN where
    there is none, for the reason `undefined`. `reason`: why it can't be evaluated at all, or "".
    """
    reason = table.reason or reason
    value = float("nan") if reason else float(statistic(np.ones((1, table.n_units)))[0])
    low, high, n_defined = None, None, 0
    if isnan(value):
        reason = reason or undefined
    else:
        width = max(table.n_labels, len(table.values))
        found = resampled(statistic, table.n_units, n_bootstrap, seed, width)
        n_defined = len(found)
        low, high, reason = percentile_interval(found, table.n_units, n_bootstrap)
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
