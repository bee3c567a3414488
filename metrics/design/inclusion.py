"""Samples of a set size in which each unit has a probability of its own to be included."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from metrics.design.drawing import UNIFORM
from metrics.intervals import Array


def inclusion_probabilities(even: ArrayLike, scores: ArrayLike, uniform: float = UNIFORM) -> Array:
    """Return (n,) probabilities to be included in a sample as large as the sum of `even`.

    `even`: (n,), above 0 and at most 1, the probabilities of the plain design. `scores`: (n,), at
    least 0, how much each unit can tell; all 0 gives the plain design. The share `uniform` of the
    sample follows the plain design and the rest the scores, as far as no probability exceeds 1, so
    that no probability is below `uniform` times the plain one. Raises ValueError for other input.
    """
    plain, asked = np.asarray(even, dtype=float), np.asarray(scores, dtype=float)
    if plain.ndim != 1 or plain.shape != asked.shape:
        raise ValueError("give one probability and one score for each unit")
    if not ((plain > 0) & (plain <= 1)).all():
        raise ValueError("probabilities of the plain design lie above 0 and at most at 1")
    if not np.isfinite(asked).all() or (asked < 0).any():
        raise ValueError("scores must be finite and not negative")
    if not 0 < uniform <= 1:
        raise ValueError(f"a share of {uniform} uniform draws leaves units without a chance")
    if not asked.any():
        return plain
    mixed: Array = uniform * plain + (1 - uniform) * _by_score(plain, asked)
    return np.minimum(mixed, 1)


def draw_included(probabilities: ArrayLike, seed: Sequence[int]) -> list[int]:
    """Draw a sample and return its places in random order; each place is included with exactly its
    probability, and their sum, a whole number, is the size of the sample.

    Systematic sampling of a random order (Madow, Annals of Mathematical Statistics 20, 1949).
    """
    chances = np.asarray(probabilities, dtype=float)
    size = round(float(chances.sum()))
    random = np.random.default_rng(list(seed))
    order = random.permutation(len(chances))
    if size == len(chances):
        return [int(place) for place in order]
    ends = np.cumsum(chances[order])
    ends *= size / ends[-1]
    points = random.random() + np.arange(size)
    places = np.minimum(np.searchsorted(ends, points, side="right"), len(chances) - 1)
    drawn = order[np.unique(places)]  # rounding can't include a place twice
    return [int(place) for place in random.permutation(drawn)]


def effective_size(weights: ArrayLike) -> float:
    """Return how many units of equal weight tell as much (Kish, Survey Sampling, 1965)."""
    values = np.asarray(weights, dtype=float)
    return float(values.sum() ** 2 / (values**2).sum()) if len(values) else 0.0


def _by_score(plain: Array, scores: Array) -> Array:
    """Return probabilities in proportion to the scores, at most 1, with the sum of `plain`."""
    size = round(float(plain.sum()))
    is_scored = scores > 0
    n_scored = int(is_scored.sum())
    if n_scored <= size:
        # All of them are included, and the plain design fills what is left.
        others = np.where(is_scored, 0, plain)
        left = others * ((size - n_scored) / others.sum()) if n_scored < size else 0 * others
        return np.where(is_scored, 1, left)
    is_certain = np.zeros(len(scores), dtype=bool)
    while True:
        rest = scores[~is_certain].sum()
        chances = (size - is_certain.sum()) * scores / rest
        exceeds = (chances > 1) & ~is_certain
        if not exceeds.any():
            return np.where(is_certain, 1, chances)
        is_certain |= exceeds
