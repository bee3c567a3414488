"""Draws with known probabilities, and the weights that undo them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.intervals import Array

VERSION = 1
# The share of the draws that are uniform. With a half, no weight is above 2 where candidates are
# drawn with replacement.
UNIFORM = 0.5


@dataclass(frozen=True)
class Draw:
    """`place`: the candidate. `probability`: with which it was drawn among the candidates that were
    left.
    """

    place: int
    probability: float


def draw_probabilities(scores: ArrayLike, uniform: float = UNIFORM) -> Array:
    """Return (n,) probabilities: in proportion to the scores, mixed with equal ones.

    `scores`: (n,), at least 0; all 0 gives equal probabilities. `uniform`: the share of the equal
    ones. Raises ValueError for negative or infinite scores, none, and a share outside 0 to 1 or
    equal to 0.
    """
    values = np.asarray(scores, dtype=float)
    if values.ndim != 1 or not len(values):
        raise ValueError("give one score for each of at least one candidate")
    if not np.isfinite(values).all() or (values < 0).any():
        raise ValueError("scores must be finite and not negative")
    if not 0 < uniform <= 1:
        raise ValueError(f"a share of {uniform} uniform draws leaves candidates without a chance")
    equal = np.full(len(values), 1 / len(values))
    total = values.sum()
    if not total:
        return equal
    mixed: Array = uniform * equal + (1 - uniform) * values / total
    return mixed


def draw_without_replacement(probabilities: Array, size: int, seed: int) -> list[Draw]:
    """Draw `size` candidates one after the other, each among those that are left, in proportion to
    the `probabilities` of the first draw. The same seed draws the same ones.

    The order is that of exponential waiting times with these rates (Efraimidis and Spirakis,
    Information Processing Letters 97, 2006). Raises ValueError if `size` exceeds the number of
    candidates.
    """
    if not 0 <= size <= len(probabilities):
        raise ValueError(f"{size} can't be drawn from {len(probabilities)}")
    waits = np.random.default_rng(seed).exponential(size=len(probabilities)) / probabilities
    order = np.argsort(waits, kind="stable")
    rates = probabilities[order]
    left = np.cumsum(rates[::-1])[::-1]
    return [Draw(int(order[n]), float(rates[n] / left[n])) for n in range(size)]


def draw_weights(probabilities: Sequence[float], population: int) -> Array:
    """Return (n,) weights of candidates that were drawn one after the other without replacement.

    `probabilities`: of each among the candidates left, in the order of drawing; they may depend on
    all answers before. The mean of weight times answer is an unbiased estimate of the mean answer
    of the `population` (Farquhar, Gal and Rainforth, "On statistical bias in active learning", ICLR
    2021, equation 7; Kossen and others, "Active testing", ICML 2021). Each weight is 1 where all
    probabilities are equal. Raises ValueError for a probability outside 0 to 1 or equal to 0, and
    more draws than the population.
    """
    chances = np.asarray(probabilities, dtype=float)
    n = len(chances)
    if n > population:
        raise ValueError(f"{n} can't be drawn from {population}")
    if not ((chances > 0) & (chances <= 1 + 1e-12)).all():
        raise ValueError("probabilities lie above 0 and at most at 1")
    if n == population:
        # Everything was drawn, so nothing is left to weight.
        return np.ones(n)
    number = np.arange(1, n + 1)
    surplus = 1 / ((population - number + 1) * chances) - 1
    weights: Array = 1 + (population - n) / (population - number) * surplus
    return weights
