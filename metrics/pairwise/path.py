"""Ratings over time: their values after increasing numbers of votes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log, tanh

from metrics.pairwise.votes import POINTS, Vote, read_votes


def stops(n_votes: int, most: int) -> list[int]:
    """Return up to `most` evenly spaced numbers of votes, the last of them the total. Raises
    ValueError for `most` below 1.
    """
    if most < 1:
        raise ValueError("look at least once")
    step = -(-n_votes // most) or 1
    inner = list(range(step, n_votes, step))
    return [*inner, n_votes] if n_votes else []


def elo_path(
    comparisons: Iterable[Vote],
    after: Sequence[int],
    initial: float = 1000,
    k: float = 32,
    base: float = 10,
    scale: float = 400,
    floor: float = 700,
    *,
    both_bad: str = "tie",
) -> list[dict[str, float]]:
    """Return the Elo ratings by model in the order of the votes, after each number of counted votes
    in `after`, which must increase.

    A model without a vote so far has `initial`. Raises ValueError as `elo` does for its votes, and
    for an `after` that does not increase or is beyond the last vote.
    """
    votes = read_votes(comparisons, both_bad)
    if list(after) != sorted(set(after)) or (
        after and not 0 <= after[0] <= after[-1] <= len(votes)
    ):
        raise ValueError(f"look after 0 to {len(votes)} votes, in rising order")
    ratings = [float(initial)] * len(votes.models)
    steepness = log(base) / scale / 2
    gains = (k * (POINTS[votes.outcome] - 0.5)).tolist()
    rows = list(zip(votes.left.tolist(), votes.right.tolist(), gains, strict=True))
    path, done = [], 0
    for stop in after:
        for left, right, gain in rows[done:stop]:
            ours, theirs = ratings[left], ratings[right]
            # The same expression as in `metrics.pairwise.replay`, so that the last values are
            # equal.
            change = gain - k / 2 * tanh(steepness * (ours - theirs))
            ratings[left] = max(ours + change, floor)
            ratings[right] = max(theirs - change, floor)
        path.append(dict(zip(votes.models, ratings, strict=True)))
        done = stop
    return path
