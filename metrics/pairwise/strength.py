"""Bradley-Terry strengths on the Elo scale, with intervals, from all votes at once.

Unlike Elo, nothing depends on the order of the votes. The model with ties is Davidson's
(`metrics.pairwise.fit`), the intervals allow for votes of one reviewer or on one clip resembling
each other (`metrics.pairwise.spread`).
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
    Array,
    Comparison,
    Indices,
    Votes,
    by_rating,
    read_labels,
    read_votes,
    tally,
)

VERSION = 1
MEAN = 1000.0
# Rating points of a tenfold in the odds, as in Elo.
SCALE = 400.0
POINTS_PER_LOG_ODDS = SCALE / math.log(10)
INTERVALS = ("sandwich", "bootstrap")


@dataclass(frozen=True)
class BradleyTerry:
    """Ratings with mean 1000 by model, the highest first, equals by name; 400 points are a tenfold
    in the odds of a vote that is not a tie.

    `low`, `high`: the 95 % interval of the distance from the mean. `ranks`: 1 and how many models
    have an interval wholly above; so equal ranks mean that the votes don't separate them. None
    where some models are not connected by votes. `reason`: what is not as it should be, in
    sentences, empty where all is well. `assumed`: the votes alone have no finite ratings, so one
    imagined vote a model was added. `tie`: Davidson's tie parameter; two equal models tie with
    probability tie / (2 + tie). `clustered_by`: "reviewers", "clips", both or neither.
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
    comparisons: Iterable[Comparison],
    reviewers: Sequence[Hashable] | None = None,
    clips: Sequence[Hashable] | None = None,
    *,
    both_bad: str = "tie",
    interval: str = "sandwich",
    n_bootstrap: int = 200,
    seed: int = 0,
) -> BradleyTerry:
    """Rate models from (left, right, outcome) rows, outcome "left", "right", "tie" or "both_bad".

    `reviewers` and `clips`: who cast each vote and on what, one label a row. `interval`:
    "sandwich", or "bootstrap" with `n_bootstrap` resamples, which takes longer and should agree.
    "Both bad" is a tie, or with both_bad="leave_out" not counted.

    Where the votes alone have no most likely ratings (a model won or lost every vote, models are
    not connected), one imagined vote of each model against an average one is added, shared out
    equally among the outcomes; `reason` then says so. Raises ValueError for an unknown outcome or
    option, a model compared with itself, and labels that are not one a row.
    """
    if interval not in INTERVALS:
        raise ValueError(f"interval is {interval!r}; choose from {', '.join(INTERVALS)}")
    if n_bootstrap < 2:
        raise ValueError("at least two resamples are needed for their spread")
    votes = read_votes(comparisons, both_bad)
    labels = {
        name: read_labels(given, name, votes)
        for name, given in (("reviewers", reviewers), ("clips", clips))
        if given is not None
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
    parts = _parts(wins + ties)
    return result(
        ratings={votes.models[i]: float(ratings[i]) for i in ranking},
        low={votes.models[i]: float(ratings[i] - half[i]) for i in ranking},
        high={votes.models[i]: float(ratings[i] + half[i]) for i in ranking},
        ranks=_ranks(votes, ratings, half, ranking) if len(parts) == 1 else None,
        reason=" ".join(_reasons(votes, wins, ties, fitted, parts, labels.keys() - clusters)),
        assumed=fitted.assumed,
        tie=fitted.tie,
        n_ties=int(ties.sum() / 2),
    )


def votes_to_separate(result: BradleyTerry, first: str, second: str) -> int | None:
    """Return how many more votes would part the intervals of two models, 0 where they are apart.

    It takes the ratings to stay and the intervals to narrow with the root of all votes, so the
    further votes are spread over pairs, reviewers and clips as the present ones are. None where
    the ratings are equal or not comparable.
    """
    gap = abs(result.ratings[first] - result.ratings[second])
    if not gap or result.ranks is None:
        return None
    widths = sum(result.high[model] - result.ratings[model] for model in (first, second))
    return max(0, math.ceil(result.n_votes * ((widths / gap) ** 2 - 1)))


def _ranks(votes: Votes, ratings: Array, half: Array, ranking: list[int]) -> dict[str, int]:
    low, high = ratings - half, ratings + half
    return {votes.models[i]: 1 + int((low > high[i]).sum()) for i in ranking}


def _parts(met: Array) -> list[Indices]:
    """The groups of models that a chain of votes connects, each by its models' places."""
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
            "shared out equally among the outcomes, and the intervals rest on that."
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
