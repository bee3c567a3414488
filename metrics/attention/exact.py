"""Exact tests of counts, and Holm's correction for several tests at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

# Two outcomes count as equally likely within this factor, as in R and scipy.
EQUALLY_LIKELY = 1 + 1e-7


def binomial_p(successes: int, n: int, chance: float, *, two_sided: bool) -> float:
    """Return the p-value of the exact binomial test that each of n trials succeeds with `chance`.

    Two-sided: the probability of all outcomes that are at most as likely as `successes`; otherwise
    of at least as many successes. Raises ValueError unless 0 <= successes <= n, n > 0 and
    0 < chance < 1.
    """
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n}: successes lie between 0 and n, and n is at least 1")
    if not 0 < chance < 1:
        raise ValueError(f"chance is {chance}; it lies between 0 and 1")
    likely = _binomial(n, chance)
    if two_sided:
        extreme = likely[likely <= likely[successes] * EQUALLY_LIKELY]
    else:
        extreme = likely[successes:]
    return min(1.0, float(extreme.sum()))


def _binomial(n: int, chance: float) -> NDArray[np.float64]:
    """Return the probability of 0 to n successes, (n + 1,)."""
    k = np.arange(1, n + 1)
    ways = np.concatenate([[0.0], np.cumsum(np.log((n - k + 1) / k))])
    wins = np.arange(n + 1)
    likely: NDArray[np.float64] = np.exp(
        ways + wins * np.log(chance) + (n - wins) * np.log1p(-chance)
    )
    return likely


def changed_more_p(count: int, of: int, others_count: int, others_of: int) -> float:
    """Return the p-value of Fisher's exact test, one-sided: the probability of at least `count` in
    the person's `of`, if all in `count` + `others_count` are spread by chance. Raises ValueError
    unless each count lies between 0 and its total, which is at least 1.
    """
    for part, whole in ((count, of), (others_count, others_of)):
        if whole < 1 or not 0 <= part <= whole:
            raise ValueError(f"{part} of {whole}: a count lies between 0 and its total, at least 1")
    total, changed = of + others_of, count + others_count
    most = min(of, changed)
    ways = sum(comb(changed, k) * comb(total - changed, of - k) for k in range(count, most + 1))
    return ways / comb(total, of)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted so that a true hypothesis among them is rejected at most as often as
    the level says (Holm, 1979, A simple sequentially rejective multiple test procedure). In the
    order given. Raises ValueError for a value outside 0 to 1.
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError("A p-value lies between 0 and 1.")
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda at: (p_values[at], at))):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted
