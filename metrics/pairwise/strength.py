"""Bradley-Terry strengths on the Elo scale, with intervals, from all votes at once.

Unlike Elo, the result doesn't depend on the order of the votes. The model with ties is Davidson's
(`metrics.pairwise.fit`). The intervals allow for correlated votes of one reviewer or on one clip
(`metrics.pairwise.spread`).

Kept instead of evalica, whose `newman` fits the same model: that has no interval, and evalica's
bootstrap treats votes as independent, while ours allows for clusters. With 100,000 votes of 20
models, ours takes 24 ms with an interval (85 ms with clusters); evalica takes 42 ms without one and
4.8 s with 100 resamples (bench/RESULTS.md, "Pairwise ratings"). The tests compare both.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from metrics.pairwise.fit import Fit, fit, reachable
from metrics.pairwise.spread import covariance, half_widths, ways
from metrics.pairwise.votes import (
    TIE,
    Array,
    Indices,
    Vote,
    Votes,
    by_rating,
    read_labels,
    read_votes,
    tally,
)

VERSION = 1
MEAN = 1000.0
# Rating points for tenfold odds, as in Elo.
SCALE = 400.0
POINTS_PER_LOG_ODDS = SCALE / math.log(10)
INTERVALS = ("sandwich", "bootstrap")


@dataclass(frozen=True)
class BradleyTerry:
    """Ratings with mean 1000 by model, highest first, ties by name. 400 points are tenfold odds of
    winning a vote that is not a tie.

    `low`, `high`: the 95 % interval of the distance from the mean. `ranks`: 1 plus the number of
    models whose interval is entirely above, so the votes don't separate models of equal rank. All
    are None if votes don't connect all models. `reason`: sentences about problems, or "".
    `assumed`: whether one imagined vote per model was added, because the votes alone have no finite
    ratings. `tie`: Davidson's tie parameter; two equal models tie with probability tie / (2 + tie).
    `clustered_by`: "reviewers", "clips", both or neither.
    """

    ratings: dict[str, float]
    low: dict[str, float]
    high: dict[str, float]
    ranks: dict[str, int] | None
    reason: str
    assumed: bool
    tie: float
    n_votes: int
    n_ties: int
    n_left_out: int
    clustered_by: tuple[str, ...]
    n_clusters: tuple[int, ...]
    interval: str
    n_bootstrap: int
    seed: int
    both_bad: str
    version: int = VERSION


def bradley_terry(
    comparisons: Iterable[Vote],
    reviewers: Sequence[Hashable] | None = None,
    clips: Sequence[Hashable] | None = None,
    *,
    both_bad: str = "tie",
    interval: str = "sandwich",
    n_bootstrap: int = 200,
    seed: int = 0,
) -> BradleyTerry:
    """Rate models from (left, right, outcome) rows, outcome "left", "right", "tie" or "both_bad".

    `reviewers` and `clips`: the reviewer and clip of each vote, one label per row. `interval`:
    "sandwich", or "bootstrap" with `n_bootstrap` resamples, which is slower and should agree. "Both
    bad" is a tie, or not counted with both_bad="leave_out".

    If the votes alone don't determine ratings (a model won or lost every vote, or models are not
    connected), one imagined vote of each model against an average model is added, divided equally
    among the outcomes, and `reason` says so. Raises ValueError for an unknown outcome or option, a
    model compared with itself, and a wrong number of labels.
    """
    if interval not in INTERVALS:
        raise ValueError(f"interval is {interval!r}; choose from {', '.join(INTERVALS)}")
    if n_bootstrap < 2:
        raise ValueError("at least two resamples are needed for their spread")
    votes = read_votes(comparisons, both_bad)
    labels = {
        name: read_labels(ids, name, votes)
        for name, ids in (("reviewers", reviewers), ("clips", clips))
        if ids is not None
    }
    clusters = {name: group for name, group in labels.items() if group.max(initial=0) > 0}
    result = partial(
        BradleyTerry,
        n_votes=len(votes),
        n_left_out=votes.n_left_out,
        clustered_by=tuple(clusters),
        n_clusters=tuple(int(group.max()) + 1 for group in clusters.values()),
        interval=interval,
        n_bootstrap=n_bootstrap if interval == "bootstrap" else 0,
        seed=seed,
        both_bad=both_bad,
    )
    if not len(votes):
        none = "There are no votes."
        return result({}, {}, {}, ranks=None, reason=none, assumed=False, tie=0.0, n_ties=0)

    wins, ties = tally(votes.cells, len(votes.models))
    fitted = fit(wins, ties)
    strengths = fitted.strengths[: len(votes.models)]
    divisions = ways(list(clusters.values()), len(votes))
    spread = covariance(votes, fitted, divisions, result.keywords["n_bootstrap"], seed)
    ratings = MEAN + POINTS_PER_LOG_ODDS * (strengths - strengths.mean())
    half = POINTS_PER_LOG_ODDS * half_widths(spread, divisions)
    ranking = by_rating(votes.models, ratings)
    parts = parts_of(wins + ties)
    return result(
        ratings=votes.by_model(ratings, ranking),
        low=votes.by_model(ratings - half, ranking),
        high=votes.by_model(ratings + half, ranking),
        ranks=ranks_of(votes, ratings, half, ranking) if len(parts) == 1 else None,
        reason=" ".join(_reasons(votes, wins, ties, fitted, parts, labels.keys() - clusters)),
        assumed=fitted.assumed,
        tie=fitted.tie,
        n_ties=int((votes.outcome == TIE).sum()),
    )


def votes_to_separate(result: BradleyTerry, first: str, second: str) -> int | None:
    """Return how many more votes would separate the intervals of two models, 0 if they are
    separate.

    Assumes that the ratings stay the same and that the intervals narrow with the root of all votes,
    so new votes must be spread over pairs, reviewers and clips like the current ones. None if the
    ratings are equal or not comparable.
    """
    gap = abs(result.ratings[first] - result.ratings[second])
    if not gap or result.ranks is None:
        return None
    widths = sum(result.high[model] - result.ratings[model] for model in (first, second))
    return max(0, math.ceil(result.n_votes * ((widths / gap) ** 2 - 1)))


def ranks_of(votes: Votes, ratings: Array, half: Array, ranking: list[int]) -> dict[str, int]:
    low, high = ratings - half, ratings + half
    return {votes.models[i]: 1 + int((low > high[i]).sum()) for i in ranking}


def parts_of(met: Array) -> list[Indices]:
    """Return the groups of models connected by votes, as indices of models."""
    connected = reachable(met + met.T)
    firsts = sorted({int(np.argmax(row)) for row in connected})
    return [np.flatnonzero(connected[first]) for first in firsts]


def _reasons(
    votes: Votes,
    wins: Array,
    ties: Array,
    fitted: Fit,
    parts: list[Indices],
    of_one: Collection[str],
) -> list[str]:
    reasons = []
    if len(parts) > 1:
        groups = "; ".join(", ".join(votes.models[i] for i in part) for part in parts)
        reasons.append(
            f"No vote connects these groups of models: {groups}. Ratings of different groups can't "
            "be compared, and there are no ranks."
        )
    if fitted.assumed:
        met = (wins + wins.T + ties).sum(axis=1)
        for places, words in (
            (wins.sum(axis=1) == met, "won every vote, so nothing says how far it is above."),
            (wins.sum(axis=0) == met, "lost every vote, so nothing says how far it is below."),
        ):
            reasons += [f"{votes.models[i]} {words}" for i in np.flatnonzero(places)]
        if not wins.any():
            reasons.append("Every vote is a tie.")
        elif not reasons:
            reasons.append(
                "Some models never lost to others, so nothing says how far they are apart."
            )
        reasons.append(
            "The ratings therefore assume one imagined vote of each model against an average one, "
            "shared out equally among the outcomes, and the intervals depend on that."
        )
    if "reviewers" in of_one:
        reasons.append(
            "All votes are one reviewer's, so the intervals don't say what others would prefer."
        )
    if "clips" in of_one:
        reasons.append(
            "All votes are on one clip, so the intervals don't say how other clips would come out."
        )
    return reasons
