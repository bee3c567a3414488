"""mAP@K of rankings of the test gallery, by each convention for right clips beyond the limit.

A test query has at most as many targets as its set allows. Other clips of the gallery can be right
too: those with the target label that the limit or the choice of source videos excluded. They never
count as wrong. "circo" omits them from the query's ranking; "unlimited" makes all of them targets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from metrics.retrieval import MeanAveragePrecision, mean_average_precision
from review.triplets.query import Query

KS = (5, 10, 25, 50)
CONVENTIONS = ("circo", "unlimited", "tfcovr")
# The names in signatures for the treatment of right clips beyond the limit.
CIRCO_RULE = "left_out"


@dataclass(frozen=True)
class Scores:
    """mAP and hits by K."""

    map: Mapping[int, float | None]
    hits: Mapping[int, int]
    n_relevant: int


def deepest_rank(queries: Sequence[Query]) -> int:
    """Return how many clips a ranking needs to reach the largest K after right clips
    are omitted.
    """
    return max(KS) + max((len(query.right_too) for query in queries), default=0)


def score_circo(
    rankings: Sequence[Sequence[int]], queries: Sequence[Query]
) -> MeanAveragePrecision:
    """Return CIRCO's mAP@K over the targets; right clips that are not targets are omitted from the
    ranking. `rankings`: for each query the clips of the gallery without the query's own, nearest
    first.
    """
    kept = []
    for ranking, query in zip(rankings, queries, strict=True):
        left_out = set(query.right_too)
        kept.append([clip for clip in ranking if clip not in left_out])
    return mean_average_precision(kept, [query.targets for query in queries], KS)


def score_unlimited(
    rankings: Sequence[Sequence[int]], queries: Sequence[Query]
) -> MeanAveragePrecision:
    """Return CIRCO's mAP@K with every right clip as a target, regardless of the set's limit."""
    relevant = [(*query.targets, *query.right_too) for query in queries]
    return mean_average_precision(rankings, relevant, KS)


def as_scores(result: MeanAveragePrecision) -> Scores:
    return Scores(result.map, result.hits, result.n_relevant)
