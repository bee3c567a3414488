"""Mean average precision at K, for queries with several right answers.

TF-CoVR (section 5) names CIRCO's metric (Baldrati et al., 2023, section 4). Its released code
computes the same formula on rankings that may hold one clip several times, which makes it a
different metric. Each has its own function here.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from metrics.retrieval.inputs import checked_ks

VERSION = 1

Ranking = Sequence[Hashable] | NDArray[np.int64]


@dataclass(frozen=True)
class MeanAveragePrecision:
    """`map`: by K, the mean of `average_precision[K]` over the queries; None without queries, and
    `reason` says so.

    `hits`: by K, relevant items among the first K over all queries, out of `n_relevant`.
    """

    map: dict[int, float | None]
    hits: dict[int, int]
    n_queries: int
    n_relevant: int
    convention: Literal["circo", "tfcovr"]
    average_precision: dict[int, NDArray[np.float64]] = field(repr=False, compare=False)
    reason: str = ""
    version: int = VERSION


def mean_average_precision(
    rankings: Sequence[Ranking],
    relevant: Sequence[Collection[Hashable]],
    ks: Iterable[int] = (5, 10, 25, 50),
) -> MeanAveragePrecision:
    """Return CIRCO's mAP@K, from 0 to 1.

    `rankings`: for each query the ids of the gallery, nearest first; if there are fewer than K, the
    missing ranks count as misses. `relevant`: for each query the relevant ids, at least one,
    whether in the gallery or not. AP@K is the sum of the precision at each hit among the first K,
    divided by the smaller of K and the number of relevant ids.

    Raises ValueError for a ranking that holds an id twice, for a query without anything relevant,
    for unequal lengths and for ks that are not distinct whole numbers from 1.
    """
    for query, ranking in enumerate(rankings):
        if len(set(ranking)) < len(ranking):
            raise ValueError(f"the ranking of query {query} holds an id twice")
    return _mean_average_precision(rankings, relevant, ks, "circo")


def tfcovr_mean_average_precision(
    rankings: Sequence[Ranking],
    relevant: Sequence[Collection[Hashable]],
    ks: Iterable[int] = (5, 10, 25, 50),
) -> MeanAveragePrecision:
    """Return mAP@K as TF-CoVR's released code computes it, only for comparison with its published
    tables.

    There the gallery is the first target of every query, row by row. A clip that is the first
    target of three queries is ranked three times, and each time counts as a hit: AP@K can exceed 1.
    A relevant clip that isn't any query's first target can't be found. Otherwise the formula and
    the errors are those of `mean_average_precision`, except that repeated ids are allowed.
    """
    return _mean_average_precision(rankings, relevant, ks, "tfcovr")


def _mean_average_precision(
    rankings: Sequence[Ranking],
    relevant: Sequence[Collection[Hashable]],
    ks: Iterable[int],
    convention: Literal["circo", "tfcovr"],
) -> MeanAveragePrecision:
    cutoffs = checked_ks(ks)
    n_relevant = _numbers_relevant(relevant, len(rankings))
    deepest = max(cutoffs)
    is_hit = np.zeros((len(rankings), deepest), dtype=bool)
    for row, ranking, right in zip(is_hit, rankings, map(set, relevant), strict=True):
        first = [item in right for item in ranking[:deepest]]
        row[: len(first)] = first
    precision_at_hits = np.cumsum(is_hit, axis=1) * is_hit / np.arange(1, deepest + 1)
    average_precision = {
        k: precision_at_hits[:, :k].sum(axis=1) / np.minimum(n_relevant, k) for k in cutoffs
    }
    return MeanAveragePrecision(
        map={
            k: float(values.mean()) if len(values) else None
            for k, values in average_precision.items()
        },
        hits={k: int(is_hit[:, :k].sum()) for k in cutoffs},
        n_queries=len(rankings),
        n_relevant=int(n_relevant.sum()),
        convention=convention,
        average_precision=average_precision,
        reason="" if len(rankings) else "There are no queries.",
    )


def _numbers_relevant(
    relevant: Sequence[Collection[Hashable]], n_queries: int
) -> NDArray[np.int64]:
    if len(relevant) != n_queries:
        raise ValueError(f"relevant has {len(relevant)} entries for {n_queries} rankings")
    for query, right in enumerate(relevant):
        if isinstance(right, str):
            raise ValueError(f"relevant of query {query} is a single text; give a set of ids")
        if not len(right):
            raise ValueError(f"query {query} has nothing relevant, so it has no precision")
    return np.array([len(set(right)) for right in relevant], dtype=np.int64)
