"""Elo: every vote changes two ratings, in the order in which the votes were cast.

CaReBench (appendix C, Tables 13 and 14) gives the parameters, no code and no order. Its ratings add
up to six times 1000, so every model began at 1000 and the floor was never reached. The "Elo
standard deviation" of 300 in Table 13 had no effect and is not a parameter here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from metrics.pairwise.votes import (
    POINTS,
    Array,
    Indices,
    Vote,
    Votes,
    by_rating,
    read_votes,
)

VERSION = 1
# Votes that are processed at once, a balance of speed and memory.
BLOCK = 4096


@dataclass(frozen=True)
class Elo:
    """Elo ratings by model, highest first, ties by name.

    `ratings`: in the order given. `mean` and `sd` (sample): over `n_replays` replays of the same
    votes in shuffled orders, because the last votes weigh most. `from_floor`: points added by the
    floor in the given order; if above 0, the mean of the ratings is no longer `initial`.
    `n_left_out`: "both bad" votes that were not counted.
    """

    ratings: dict[str, float]
    mean: dict[str, float]
    sd: dict[str, float]
    from_floor: float
    n_votes: int
    n_left_out: int
    n_replays: int
    seed: int
    initial: float
    k: float
    base: float
    scale: float
    floor: float
    both_bad: str
    version: int = VERSION


def elo(
    comparisons: Iterable[Vote],
    initial: float = 1000,
    k: float = 32,
    base: float = 10,
    scale: float = 400,
    floor: float = 700,
    *,
    both_bad: str = "tie",
    n_replays: int = 50,
    seed: int = 0,
) -> Elo:
    """Rate models from (left, right, outcome) rows, outcome "left", "right", "tie" or "both_bad".

    A vote changes the left model by k · (s − E) and the right model by the negative of that: s is
    1, 0 or, for a tie, 0.5; E = 1 / (1 + base^((right − left) / scale)). A rating never falls below
    `floor`, so fewer points may be lost than won. "Both bad" is a tie, or not counted with
    both_bad="leave_out".

    Raises ValueError for an unknown outcome, a model compared with itself, a start below the
    floor, base, scale or k out of range, and fewer than two replays, which have no SD.
    """
    if not (base > 1 and scale > 0 and k >= 0):
        raise ValueError("base must be above 1, scale above 0 and k not below 0")
    if initial < floor:
        raise ValueError(f"the start, {initial}, is below the floor, {floor}")
    if n_replays < 2:
        raise ValueError("at least two replays are needed for their SD")
    votes = read_votes(comparisons, both_bad)
    random = np.random.default_rng(seed)
    orders = np.empty((n_replays + 1, len(votes)), dtype=np.intp)
    orders[0] = np.arange(len(votes))
    for order in orders[1:]:
        order[:] = random.permutation(len(votes))
    final = _replayed(votes, orders, initial, k, math.log(base) / scale, floor)
    in_order, replays = final[0], final[1:]
    mean, sd = replays.mean(axis=0), replays.std(axis=0, ddof=1)
    ranking = by_rating(votes.models, in_order)
    return Elo(
        ratings=votes.by_model(in_order, ranking),
        mean=votes.by_model(mean, ranking),
        sd=votes.by_model(sd, ranking),
        from_floor=_from_floor(in_order, initial),
        n_votes=len(votes),
        n_left_out=votes.n_left_out,
        n_replays=n_replays,
        seed=seed,
        initial=initial,
        k=k,
        base=base,
        scale=scale,
        floor=floor,
        both_bad=both_bad,
    )


def _replayed(
    votes: Votes, orders: Indices, initial: float, k: float, steepness: float, floor: float
) -> Array:
    """Return the final ratings, (orders, models); all orders are replayed at once."""
    n_models = len(votes.models)
    ratings = np.full(len(orders) * n_models, float(initial))
    first = np.arange(len(orders)) * n_models
    gains = k * (POINTS[votes.outcome] - 0.5)
    for start in range(0, len(votes), BLOCK):
        block = orders[:, start : start + BLOCK].T
        lefts, rights = votes.left[block] + first, votes.right[block] + first
        for left, right, gain in zip(lefts, rights, gains[block], strict=True):
            ours, theirs = ratings[left], ratings[right]
            # k (s - E), written with tanh, which never overflows.
            change = gain - k / 2 * np.tanh(steepness / 2 * (ours - theirs))
            ratings[left] = np.maximum(ours + change, floor)
            ratings[right] = np.maximum(theirs - change, floor)
    return ratings.reshape(len(orders), n_models)


def _from_floor(ratings: Array, initial: float) -> float:
    added = float((ratings - initial).sum())
    return added if added > 1e-6 else 0.0
