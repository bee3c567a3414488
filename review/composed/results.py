"""TF-CoVR's Tables 2 and 3 of imported rankings: one row per model, over its seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

import numpy as np

from metrics.retrieval import (
    MeanAveragePrecision,
    PrecisionSpread,
    precision_spread,
    tfcovr_mean_average_precision,
)
from review.composed.models import ImportedRanking
from review.composed.scoring import KS, score_circo, score_unlimited
from review.reports.small_samples import shown_estimate
from review.triplets.models import TripletSet
from review.triplets.queries import test_gallery, test_queries
from review.triplets.query import Query

Group = ImportedRanking.Group
N_BOOTSTRAP = 1000
SEED = 0
# The printed tables, each with its groups of rows in order.
TABLES: dict[int, tuple[str, ...]] = {
    2: (Group.FINE_TUNED,),
    3: (Group.GENERAL, Group.ZERO_SHOT),
}
FACTS = (
    "group", "name", "has_video", "has_text", "fusion", "query_frames", "target_frames",
    "is_verified_only",
)  # fmt: skip

Rankings = Sequence[Sequence[int]]
Score = Callable[[Rankings, Sequence[Query]], MeanAveragePrecision]


def score_tfcovr(rankings: Rankings, queries: Sequence[Query]) -> MeanAveragePrecision:
    """Score like TF-CoVR's code, whose gallery is the first target of each query, row by row."""
    rows = Counter(query.targets[0] for query in queries)
    ranked = [
        list(chain.from_iterable(repeat(clip, rows[clip]) for clip in ranking))
        for ranking in rankings
    ]
    return tfcovr_mean_average_precision(ranked, [query.targets for query in queries], KS)


SCORES: Mapping[str, Score] = {
    "circo": score_circo,
    "unlimited": score_unlimited,
    "tfcovr": score_tfcovr,
}


@dataclass(frozen=True)
class ResultRow:
    """A model with all of its seeds. `spreads`: by K, over the seeds; if empty, `reason` says why.
    `short`: queries whose ranking ends before the largest K, although the gallery has more clips.
    """

    runs: tuple[ImportedRanking, ...]
    n_queries: int = 0
    spreads: Mapping[int, PrecisionSpread] = field(default_factory=dict)
    short: int = 0
    reason: str = ""

    @property
    def model(self) -> ImportedRanking:
        return self.runs[0]

    @property
    def seeds(self) -> list[int]:
        return [run.seed for run in self.runs if run.seed is not None]

    @property
    def cells(self) -> list[PrecisionSpread | None]:
        """Return the spreads by K, None without a score."""
        return [self.spreads.get(k) for k in KS]


@dataclass(frozen=True)
class RowGroup:
    name: str
    rows: list[ResultRow]


@dataclass(frozen=True)
class ResultTable:
    """A table; `number` is that in the paper."""

    number: int
    groups: list[RowGroup]

    @property
    def rows(self) -> list[ResultRow]:
        return [row for group in self.groups for row in group.rows]


def current_rankings(triplets: TripletSet) -> list[ImportedRanking]:
    rankings = ImportedRanking.objects.filter(triplets=triplets, removed_at=None)
    return list(rankings.select_related("created_by").order_by("pk"))


def result_tables(triplets: TripletSet, convention: str) -> list[ResultTable]:
    """Return the tables; `convention` is a key of SCORES. Models are in order of import."""
    by_model: dict[tuple[object, ...], list[ImportedRanking]] = {}
    for ranking in current_rankings(triplets):
        by_model.setdefault(tuple(getattr(ranking, fact) for fact in FACTS), []).append(ranking)
    queries = test_queries(triplets) if by_model else []
    gallery = len(test_gallery(triplets.project, queries)) if by_model else 0
    rows = [_row(tuple(runs), queries, gallery, SCORES[convention]) for runs in by_model.values()]
    tables = []
    for number, names in TABLES.items():
        groups = [
            RowGroup(Group(name).label, [row for row in rows if row.model.group == name])
            for name in names
        ]
        tables.append(ResultTable(number, [group for group in groups if group.rows]))
    return tables


def _row(
    runs: tuple[ImportedRanking, ...], every: Sequence[Query], gallery: int, score: Score
) -> ResultRow:
    only_verified = runs[0].is_verified_only
    queries = [query for query in every if query.is_verified or not only_verified]
    if not queries:
        return ResultRow(runs, reason="The set has no such test queries any more.")
    missing = max(sum(str(query.key) not in run.clips for query in queries) for run in runs)
    if missing:
        reason = f"{missing} of {len(queries)} queries have no ranking. Import it again."
        return ResultRow(runs, len(queries), reason=reason)
    rankings = [[run.clips[str(query.key)] for query in queries] for run in runs]
    scored = [score(ranked, queries) for ranked in rankings]
    spreads = {
        k: shown_estimate(
            precision_spread(
                np.stack([score_of_run.average_precision[k] for score_of_run in scored]),
                n_bootstrap=N_BOOTSTRAP,
                seed=SEED,
            ),
            len(queries),
            "query",
            "queries",
        )
        for k in KS
    }
    short = max(_short(ranked, queries, gallery) for ranked in rankings)
    return ResultRow(runs, len(queries), spreads, short)


def _short(rankings: Rankings, queries: Sequence[Query], gallery: int) -> int:
    return sum(
        len(set(ranking).difference(query.right_too)) < max(KS) and len(ranking) < gallery - 1
        for ranking, query in zip(rankings, queries, strict=True)
    )
