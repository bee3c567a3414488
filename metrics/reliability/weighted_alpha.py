"""Krippendorff's alpha in which the labels of reliable people weigh more.

Two labels of one unit are compared with the product of their weights, and a unit counts as much as
its weights add up to. With equal weights this is alpha (`metrics.agreement.alpha`), and the labels
of somebody with weight 0 don't count.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.agreement.alpha import LEVELS
from metrics.agreement.estimate import ONE_CATEGORY
from metrics.agreement.labels import Label, LabelTable, read_labels
from metrics.intervals import Array

VERSION = 1
NO_WEIGHT = "No two labels of one unit have a weight above 0."


@dataclass(frozen=True)
class WeightedAlpha:
    """`value`: None if undefined, with the `reason`. `n_units`: those with two weighted labels."""

    level: str
    value: float | None
    reason: str
    n_units: int
    version: int = VERSION


def weighted_alpha(
    labels: Sequence[Label],
    weights: Mapping[Hashable, float],
    level: str = "nominal",
    *,
    scale: Sequence[Hashable],
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
    value = _alpha(table, _weight_of(table, positive, weights), level)
    return WeightedAlpha(level, value, "" if value is not None else ONE_CATEGORY, table.n_units)


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


def _alpha(table: LabelTable, weights: Array, level: str) -> float | None:
    starts = np.cumsum(table.sizes) - table.sizes
    n_codes = len(table.values)
    counts = np.bincount(table.code_of, weights, n_codes)
    n = counts.sum()
    sums = np.add.reduceat(weights, starts)
    # The product of the weights of each ordered pair, summed over the unit's pairs.
    products = sums**2 - np.add.reduceat(weights**2, starts)
    if level == "nominal":
        of_codes = np.zeros((table.n_units, n_codes))
        np.add.at(of_codes, (table.unit_of, table.code_of), weights)
        apart = sums**2 - (of_codes**2).sum(axis=1)
        expected = n**2 - (counts**2).sum()
    else:
        values = table.values if level == "interval" else np.cumsum(counts) - counts / 2
        of_labels = values[table.code_of]
        means = np.add.reduceat(weights * of_labels, starts) / sums
        squares = np.add.reduceat(weights * (of_labels - means[table.unit_of]) ** 2, starts)
        apart = 2 * sums * squares
        expected = 2 * n * (counts * (values - (counts * values).sum() / n) ** 2).sum()
    if (counts > 0).sum() < 2 or expected <= 0:
        return None
    observed = float((apart * sums / products).sum())
    return float(1 - (n - 1) * observed / expected)
