"""Krippendorff's alpha, for any number of raters, with missing labels and three
levels of labels.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from metrics.agreement.estimate import Agreement, estimate
from metrics.agreement.labels import Label, LabelTable, read_labels
from metrics.agreement.percent import equal_pairs
from metrics.intervals import Array, tally

LEVELS = ("nominal", "ordinal", "interval")


def krippendorff_alpha(
    labels: Sequence[Label],
    level: str = "nominal",
    *,
    scale: Sequence[Hashable] | None = None,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Return alpha = 1 - observed / expected disagreement (Krippendorff 2011, "Computing
    Krippendorff's alpha-reliability"), at most 1.

    The level sets the distance of two labels: nominal, equal or not; ordinal, how many labels are
    between them; interval, the square of their difference, or of their steps on `scale`. Ordinal
    and interval labels are numbers, or `scale` lists them. Undefined if all labels are the same.
    Raises ValueError as `read_labels` does, and for an unknown level.
    """
    if level not in LEVELS:
        raise ValueError(f"level is {level!r}; choose from {', '.join(LEVELS)}")
    table = read_labels(labels, scale, ordered=level != "nominal")
    return estimate(
        _Alpha(table, level),
        table,
        measure="krippendorff_alpha",
        distance=level,
        scale=scale,
        n_bootstrap=n_bootstrap,
        seed=seed,
    )


class _Alpha:
    """Computes alpha for each row of (rows, n_units), which holds how often each unit counts.

    Both disagreements are sums over labels instead of over the coincidence matrix, so neither
    time nor memory grows with the square of the number of categories.
    """

    def __init__(self, table: LabelTable, level: str) -> None:
        self.table, self.level = table, level
        self.starts = np.cumsum(table.sizes) - table.sizes
        if level == "nominal":
            pairs = table.sizes * (table.sizes - 1) / 2
            self.apart = 2 * (pairs - equal_pairs(table)) / (table.sizes - 1)
        elif level == "interval":
            self.apart = self._apart(table.values[None])[0]

    def __call__(self, times: Array) -> Array:
        table = self.table
        counts = tally(times.take(table.unit_of, axis=1), table.code_of, len(table.values))
        n = counts.sum(axis=1)
        if self.level == "nominal":
            observed, expected = times @ self.apart, n**2 - (counts**2).sum(axis=1)
        elif self.level == "interval":
            observed, expected = times @ self.apart, _expected(counts, n, table.values)
        else:
            ranks = np.cumsum(counts, axis=1) - counts / 2
            observed = (times * self._apart(ranks)).sum(axis=1)
            expected = _expected(counts, n, ranks)
        # With only one category, rounding errors could look like disagreement.
        defined = ((counts > 0).sum(axis=1) > 1) & (expected > 0)
        ratio = np.divide((n - 1) * observed, expected, out=np.full(len(n), np.nan), where=defined)
        alpha: Array = 1 - ratio
        return alpha

    def _apart(self, values: Array) -> Array:
        """Return (rows, n_units): the squared differences of all ordered pairs of a unit's
        labels, over one less than their number. `values`: (rows, n_categories)."""
        table = self.table
        of_labels = values.take(table.code_of, axis=1)
        means = np.add.reduceat(of_labels, self.starts, axis=1) / table.sizes
        away = of_labels - means.take(table.unit_of, axis=1)
        squares = np.add.reduceat(away**2, self.starts, axis=1)
        apart: Array = 2 * table.sizes * squares / (table.sizes - 1)
        return apart


def _expected(counts: Array, n: Array, values: Array) -> Array:
    """Return (rows,): the squared differences of all ordered pairs of labels."""
    means = (counts * values).sum(axis=1) / n
    spread: Array = 2 * n * (counts * (values - means[:, None]) ** 2).sum(axis=1)
    return spread
