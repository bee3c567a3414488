"""Percent agreement: the share of equal labels among pairs of labels of one unit."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from metrics.agreement.estimate import Agreement, estimate
from metrics.agreement.labels import Label, LabelTable, read_labels
from metrics.intervals import Array


def percent_agreement(
    labels: Sequence[Label],
    *,
    scale: Sequence[Hashable] | None = None,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Return the share of equal pairs among all pairs of labels of one unit: 0 to 1.

    A unit with m labels has m (m - 1) / 2 pairs, and all pairs have the same weight. Not corrected
    for chance. Raises ValueError as `read_labels` does.
    """
    table = read_labels(labels, scale, ordered=False)
    pairs = table.sizes * (table.sizes - 1) / 2
    equal = equal_pairs(table)

    def statistic(times: Array) -> Array:
        share: Array = (times @ equal) / (times @ pairs)
        return share

    return estimate(
        statistic,
        table,
        measure="percent_agreement",
        distance="nominal",
        scale=scale,
        n_bootstrap=n_bootstrap,
        seed=seed,
    )


def equal_pairs(table: LabelTable) -> Array:
    """Return (n_units,): how many pairs of labels of each unit are equal."""
    n_codes = max(len(table.values), 1)
    cells, counts = np.unique(table.unit_of * n_codes + table.code_of, return_counts=True)
    pairs = counts * (counts - 1) / 2
    sums = np.bincount(cells // n_codes, weights=pairs, minlength=table.n_units)
    return np.asarray(sums, dtype=float)
