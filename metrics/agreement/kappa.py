"""Cohen's kappa, plain and weighted, of two raters and as a mean over pairs of raters."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from metrics.agreement.estimate import Agreement, estimate
from metrics.agreement.labels import Codes, Label, LabelTable, read_labels
from metrics.intervals import Array, tally

WEIGHTS = ("linear", "quadratic")
NO_PAIR = "Each pair of people gave all shared items the same label, so kappa is undefined."


def cohen_kappa(
    labels: Sequence[Label],
    *,
    scale: Sequence[Hashable] | None = None,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Return Cohen's kappa (1960) of two raters over the units that both labeled, at most 1.

    (p_o - p_e) / (1 - p_e), with p_e from each rater's own shares of the labels. Undefined if both
    gave every unit the same label, and for more than two raters. Raises ValueError as `read_labels`
    does.
    """
    table = read_labels(labels, scale, ordered=False)
    return _of_two("cohen_kappa", table, "nominal", scale, n_bootstrap, seed)


def weighted_kappa(
    labels: Sequence[Label],
    weights: str = "linear",
    *,
    scale: Sequence[Hashable] | None = None,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Return weighted kappa (Cohen 1968) of two raters' ordinal labels, at most 1.

    1 - observed / expected disagreement, where the disagreement of two labels is their distance
    ("linear") or its square ("quadratic"). The distance is in steps of `scale`, or the difference
    of numbers. Undefined as `cohen_kappa`. Raises ValueError as `read_labels` does, and for unknown
    weights.
    """
    _check(weights)
    table = read_labels(labels, scale, ordered=True)
    return _of_two("weighted_kappa", table, weights, scale, n_bootstrap, seed)


def mean_pairwise_kappa(
    labels: Sequence[Label],
    weights: str | None = None,
    *,
    scale: Sequence[Hashable] | None = None,
    n_bootstrap: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Return the mean kappa over all pairs of raters that share units, weighted by the number of
    shared units.

    `weights`: None for Cohen's kappa, or as in `weighted_kappa`. A pair whose kappa is undefined is
    left out and counted. Raises ValueError as `weighted_kappa` does.
    """
    if weights is not None:
        _check(weights)
    distance = weights or "nominal"
    table = read_labels(labels, scale, ordered=weights is not None)
    pairs = list(_rater_pairs(table))
    everything = np.ones((1, table.n_units))

    def statistic(times: Array) -> Array:
        total, shared = np.zeros(len(times)), np.zeros(len(times))
        for pair in pairs:
            value = _kappa(pair, times, table.values, distance)
            is_defined = ~np.isnan(value)
            n = times.take(pair.units, axis=1).sum(axis=1)[is_defined]
            total[is_defined] += value[is_defined] * n
            shared[is_defined] += n
        return _divided(total, shared)

    return estimate(
        statistic,
        table,
        measure="mean_pairwise_kappa",
        distance=distance,
        scale=scale,
        n_bootstrap=n_bootstrap,
        seed=seed,
        undefined=NO_PAIR,
        n_rater_pairs_left_out=sum(
            bool(np.isnan(_kappa(pair, everything, table.values, distance)[0])) for pair in pairs
        ),
    )


@dataclass(frozen=True)
class RaterPair:
    """The units that two raters share, and their codes for each: three arrays (n_shared,)."""

    units: Codes
    first: Codes
    second: Codes


def _of_two(
    measure: str,
    table: LabelTable,
    distance: str,
    scale: Sequence[Hashable] | None,
    n_bootstrap: int,
    seed: int,
) -> Agreement:
    reason = f"Kappa compares two people, and {table.n_raters} labeled the same things."

    def statistic(times: Array) -> Array:
        (pair,) = _rater_pairs(table)
        return _kappa(pair, times, table.values, distance)

    return estimate(
        statistic,
        table,
        measure=measure,
        distance=distance,
        scale=scale,
        n_bootstrap=n_bootstrap,
        seed=seed,
        reason="" if table.n_raters == 2 else reason,
    )


def _rater_pairs(table: LabelTable) -> Iterator[RaterPair]:
    labelled = []
    for rater in range(table.n_raters):
        own = table.rater_of == rater
        labelled.append((table.unit_of[own], table.code_of[own]))
    for (units, codes), (other_units, other_codes) in combinations(labelled, 2):
        shared, here, in_other = np.intersect1d(
            units, other_units, assume_unique=True, return_indices=True
        )
        if len(shared):
            yield RaterPair(shared, codes[here], other_codes[in_other])


def _kappa(pair: RaterPair, times: Array, values: Array, distance: str) -> Array:
    """Return 1 - observed / expected disagreement per row of `times`, NaN if none is expected."""
    times = times.take(pair.units, axis=1)
    n = times.sum(axis=1)
    first = tally(times, pair.first, len(values))
    second = tally(times, pair.second, len(values))
    # In whole numbers, so that rounding can't hide that there is only one category.
    unequal = n**2 - (first * second).sum(axis=1)
    gap = np.abs(values[pair.first] - values[pair.second])
    if distance == "nominal":
        observed, expected = times @ (pair.first != pair.second), unequal
    elif distance == "linear":
        below, others_below = np.cumsum(first, axis=1), np.cumsum(second, axis=1)
        crossing = below * (n[:, None] - others_below) + others_below * (n[:, None] - below)
        observed, expected = times @ gap, crossing[:, :-1] @ np.diff(values)
    else:
        away = values - _divided(first @ values, n)[:, None]
        observed, expected = times @ gap**2, n * ((first + second) * away**2).sum(axis=1)
    kappa: Array = 1 - _divided(observed * n, np.where(unequal > 0, expected, 0))
    return kappa


def _divided(above: Array, below: Array) -> Array:
    ratio: Array = np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0)
    return ratio


def _check(weights: str) -> None:
    if weights not in WEIGHTS:
        raise ValueError(f"weights is {weights!r}; choose from {', '.join(WEIGHTS)}")
