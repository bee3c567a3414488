"""Krippendorff's alpha with more weight on the labels of reliable people.

Two labels of one unit are compared with the product of their weights, and a unit counts as much as
the sum of its weights. With equal weights this is alpha (`metrics.agreement.alpha`), and labels
with weight 0 don't count.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from metrics.agreement.alpha import LEVELS
from metrics.agreement.estimate import ONE_CATEGORY
from metrics.agreement.labels import Label, LabelTable, read_labels
from metrics.intervals import Array, percentile_interval, resampled, tally

VERSION = 2
NO_WEIGHT = "No two labels of one unit have a weight above 0."


@dataclass(frozen=True)
class WeightedAlpha:
    """`value` with its 95 % percentile interval over resamples of the units, in which the weights
    stay as they are; each None if undefined, with the `reason`. `n_units`: those with two weighted
    labels."""

    level: str
    value: float | None
    reason: str
    n_units: int
    low: float | None = None
    high: float | None = None
    version: int = VERSION


def weighted_alpha(
    labels: Sequence[Label],
    weights: Mapping[Hashable, float],
    level: str = "nominal",
    *,
    scale: Sequence[Hashable],
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> WeightedAlpha:
    """Return alpha with the weight of each rater, which is at least 0.

    Raises ValueError as `krippendorff_alpha` does, and for a rater without a weight or with one
    below 0.
    """
    if level not in LEVELS:
        raise ValueError(f"level is {level!r}; choose from {', '.join(LEVELS)}")
    for rater in dict.fromkeys(row[0] for row in labels):
        if not weights.get(rater, -1) >= 0:
            raise ValueError(f"{rater!r} has no weight of at least 0")
    positive = [row for row in labels if weights[row[0]] > 0]
    table = read_labels(positive, scale, ordered=level != "nominal")
    if table.reason:
        reason = NO_WEIGHT if len(positive) < len(labels) else table.reason
        return WeightedAlpha(level, None, reason, 0)
    of_labels = _weight_of(table, positive, weights)

    def alphas(times: Array) -> Array:
        return _alphas(table, of_labels, level, times)

    value = float(alphas(np.ones((1, table.n_units)))[0])
    if isnan(value):
        return WeightedAlpha(level, None, ONE_CATEGORY, table.n_units)
    width = max(table.n_labels, len(table.values))
    values = resampled(alphas, table.n_units, n_bootstrap, seed, width)
    low, high, _ = percentile_interval(values, table.n_units, n_bootstrap)
    return WeightedAlpha(level, value, "", table.n_units, low, high)


def _weight_of(
    table: LabelTable, labels: Sequence[Label], weights: Mapping[Hashable, float]
) -> Array:
    """Return (n_labels,), with mean 1, in the order of the table."""
    units: dict[Hashable, list[Hashable]] = {}
    for rater, unit, _ in labels:
        units.setdefault(unit, []).append(rater)
    of_labels = np.array(
        [weights[rater] for raters in units.values() if len(raters) > 1 for rater in raters]
    )
    assert len(of_labels) == table.n_labels
    return np.asarray(of_labels / of_labels.mean())


def _alphas(table: LabelTable, weights: Array, level: str, times: Array) -> Array:
    """Return (rows,): alpha of each row of `times`, (rows, n_units), which holds how often each
    unit counts; NaN if undefined."""
    starts = np.cumsum(table.sizes) - table.sizes
    n_codes = len(table.values)
    counts = tally(times.take(table.unit_of, axis=1) * weights, table.code_of, n_codes)
    n = counts.sum(axis=1)
    sums = np.add.reduceat(weights, starts)
    # The product of the weights of each ordered pair, summed over the unit's pairs.
    products = sums**2 - np.add.reduceat(weights**2, starts)
    if level == "nominal":
        of_codes = np.zeros((table.n_units, n_codes))
        np.add.at(of_codes, (table.unit_of, table.code_of), weights)
        apart = (sums**2 - (of_codes**2).sum(axis=1))[None]
        expected = n**2 - (counts**2).sum(axis=1)
    else:
        values = np.cumsum(counts, axis=1) - counts / 2
        if level == "interval":
            values = np.repeat(table.values[None], len(times), axis=0)
        of_labels = values.take(table.code_of, axis=1)
        means = np.add.reduceat(weights * of_labels, starts, axis=1) / sums
        away = of_labels - means.take(table.unit_of, axis=1)
        apart = 2 * sums * np.add.reduceat(weights * away**2, starts, axis=1)
        middle = (counts * values).sum(axis=1, keepdims=True) / n[:, None]
        expected = 2 * n * (counts * (values - middle) ** 2).sum(axis=1)
    observed = (times * (apart * sums / products)).sum(axis=1)
    is_defined = ((counts > 0).sum(axis=1) > 1) & (expected > 0)
    ratio = np.divide((n - 1) * observed, expected, out=np.full(len(n), np.nan), where=is_defined)
    alphas: Array = 1 - ratio
    return alphas
