"""Correlation of an automatic metric with people's ratings over models, as in CaReBench's Table 15.

The paper gives Pearson's r over six models, without an interval or a p-value. With six models a
correlation can hardly be told from none, so each result here has both, and a warning.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.student_t import Z_95, two_sided_p

Array = NDArray[np.float64]

VERSION = 1
FEW = 20
# Up to this number of models the p-value is exact, over all orders: 8! = 40,320.
MAX_TO_PERMUTE = 8


@dataclass(frozen=True)
class Correlation:
    """`value`, `low` and `high` (its 95 % interval) are from -1 to 1. `p`: the probability of a
    correlation at least as strong if there were none, "exact" over all orders or from Student's
    "t". If any is None, `reason` is a sentence that says why. `warning`: a sentence if there are
    few models.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    p_from: str | None
    n: int
    kind: str
    reason: str
    warning: str
    version: int = VERSION


def pearson(metric: ArrayLike, ratings: ArrayLike, *, units: str = "models") -> Correlation:
    """Return Pearson's r of two numbers per model, each (n,).

    p is from Student's t with n - 2 degrees of freedom, the interval from Fisher's z with standard
    error 1 / sqrt(n - 3). `units`: a word for the n units, for the sentences of the result. Raises
    ValueError for unequal lengths and numbers that are not finite.
    """
    first, second = _checked(metric, ratings)
    return _correlated(
        first,
        second,
        "pearson",
        lambda r, n: 1 / math.sqrt(n - 3),
        exact=False,
        units=units,
    )


def spearman(metric: ArrayLike, ratings: ArrayLike) -> Correlation:
    """Return Spearman's rho of two numbers per model, each (n,), with ties at their mean rank.

    p is exact up to 8 models and from Student's t beyond; the interval is from Fisher's z with
    standard error sqrt((1 + rho^2 / 2) / (n - 3)) (Bonett and Wright, Psychometrika 65, 2000).
    Raises ValueError as above.
    """
    first, second = (mean_ranks(values) for values in _checked(metric, ratings))
    return _correlated(
        first, second, "spearman", lambda r, n: math.sqrt((1 + r**2 / 2) / (n - 3)), exact=True
    )


def mean_ranks(values: Array) -> Array:
    """Return ranks from 1 in increasing order, with ties at their mean rank."""
    _, place, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    ranks: Array = (last - (sizes - 1) / 2)[place]
    return ranks


def _correlated(
    first: Array,
    second: Array,
    kind: str,
    standard_error: Callable[[float, int], float],
    *,
    exact: bool,
    units: str = "models",
) -> Correlation:
    n = len(first)
    if n < 3:
        return _undefined(kind, n, f"A correlation needs at least 3 {units}; there are {n}.")
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return _undefined(kind, n, f"All {units} have the same value, so nothing can correlate.")
    first, second = _standardised(first), _standardised(second)
    value = float(np.clip(first @ second, -1, 1))
    exact = exact and n <= MAX_TO_PERMUTE
    low = high = None
    # Rounding can leave a perfect correlation slightly below 1.
    perfect = 1 - abs(value) < 1e-12
    if n > 3 and not perfect:
        center, half = math.atanh(value), Z_95 * standard_error(value, n)
        low, high = math.tanh(center - half), math.tanh(center + half)
    return Correlation(
        value=value,
        low=low,
        high=high,
        p=_exact_p(first, second) if exact else _p(value, n),
        p_from="exact" if exact else "t",
        n=n,
        kind=kind,
        reason="" if low is not None else _no_interval(perfect, units),
        warning=_warning(n, low, high, units),
    )


def _no_interval(perfect: bool, units: str) -> str:
    what = "A perfect correlation gives" if perfect else f"Three {units} give"
    return f"{what} no interval."


def _warning(n: int, low: float | None, high: float | None, units: str) -> str:
    if n >= FEW:
        return ""
    few = f"Only {n} {units}"
    if low is None or high is None:
        return f"{few}: such a value comes about by chance easily."
    reach = f"{few}: the true correlation may lie anywhere from {low:z.2f} to {high:z.2f}"
    return f"{reach}, so there may be none." if low <= 0 <= high else f"{reach}."


def _p(value: float, n: int) -> float:
    rest = 1 - value**2
    return two_sided_p(value * math.sqrt((n - 2) / rest), n - 2) if rest > 0 else 0.0


def _exact_p(first: Array, second: Array) -> float:
    orders = np.array(list(permutations(range(len(second)))))
    # Equal correlations may differ in their last bits.
    least = abs(float(first @ second)) - 1e-9
    return float((np.abs(second[orders] @ first) >= least).mean())


def _standardised(values: Array) -> Array:
    """Return `values` with mean 0 and length 1. Scaled twice, because the squares of numbers such
    as 1e-200 are 0 and those of 1e200 infinite.
    """
    scaled = values / np.abs(values).max()
    centered = scaled - scaled.mean()
    centered /= np.abs(centered).max()
    return np.asarray(centered / np.linalg.norm(centered))


def _undefined(kind: str, n: int, reason: str) -> Correlation:
    return Correlation(
        value=None,
        low=None,
        high=None,
        p=None,
        p_from=None,
        n=n,
        kind=kind,
        reason=reason,
        warning="",
    )


def _checked(metric: ArrayLike, ratings: ArrayLike) -> tuple[Array, Array]:
    first, second = np.asarray(metric, dtype=float), np.asarray(ratings, dtype=float)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(
            f"the metric has shape {first.shape} and the ratings {second.shape}: give one number "
            "each for every model"
        )
    if not np.isfinite(first).all() or not np.isfinite(second).all():
        raise ValueError("metric and ratings must be finite numbers")
    return first, second
