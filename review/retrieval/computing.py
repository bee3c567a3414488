"""Recall and ReBias, from vectors (CaReBench, sections 3.4.1, 5.2 and 5.3; LoVR, section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev

import numpy as np

from metrics.rebias import Interval, QueryHits, bootstrap_rebias
from metrics.retrieval import recall_curve
from review.retrieval.directions import (
    DIRECTIONS,
    KS,
    T2V,
    SearchResult,
    VectorMatrix,
    directions_of,
    search,
    videos_of,
)

N_BOOTSTRAP = 1000
SEED = 0
FORMS = ("table5", "equation1")
HALVES = ("spatial", "temporal")


@dataclass(frozen=True)
class Shares:
    """Recall by K, from 0 to 1; None without queries."""

    recall: Mapping[int, float | None]
    n_queries: int


@dataclass(frozen=True)
class Curve:
    """Hits at K of 1, 2, …, with the ends of the 95 % interval of each recall over `n_videos`,
    0 to 1; no ends where `reason` says why.
    """

    hits: Sequence[int]
    low: Sequence[float]
    high: Sequence[float]
    n_videos: int
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Way(Shares):
    """One direction: the recall of all queries and of each category, in a gallery of `n_gallery`.
    `reason` explains why there is no recall.
    """

    n_gallery: int
    by_category: Mapping[str, Shares]
    reason: str = ""
    curve: Curve


@dataclass(frozen=True)
class BothWays:
    """Text to video and video to text."""

    t2v: Way
    v2t: Way

    def way(self, name: str) -> Way:
        """Return the direction with this name of DIRECTIONS."""
        return self.t2v if name == T2V else self.v2t


@dataclass(frozen=True)
class Seconds:
    """The seconds of the timed steps (LoVR, section 4.1.1), which a report isn't computed from:
    the means over the runs, and each run.
    """

    with_io: float
    without_io: float
    runs_with_io: Sequence[float]
    runs_without_io: Sequence[float]

    @property
    def n_runs(self) -> int:
        return len(self.runs_with_io)

    @property
    def spreads(self) -> tuple[float | None, float | None]:
        """Return the sample standard deviations with and without I/O; None for one run."""
        if self.n_runs == 1:
            return None, None
        return stdev(self.runs_with_io), stdev(self.runs_without_io)


@dataclass(frozen=True, kw_only=True)
class FullWay(Way):
    """One direction with all its numbers."""

    hits: Mapping[int, int]
    median_rank: float | None
    seconds: Seconds


@dataclass(frozen=True)
class FullBothWays(BothWays):
    t2v: FullWay
    v2t: FullWay

    def way(self, name: str) -> FullWay:
        return self.t2v if name == T2V else self.v2t


def way_of(result: SearchResult, curve: Curve, seconds: Seconds) -> FullWay:
    recall = result.recall
    return FullWay(
        recall=recall.recall,
        hits=recall.hits,
        median_rank=recall.median_rank,
        n_queries=recall.n_queries,
        n_gallery=recall.n_gallery,
        reason=recall.reason,
        by_category={
            category: Shares(counts.recall, counts.n_queries)
            for category, counts in recall.by_category.items()
        },
        curve=curve,
        seconds=seconds,
    )


def curve_of(result: SearchResult, about: Mapping[int, tuple[int, str]]) -> Curve:
    curve = recall_curve(
        result.recall.ranks,
        videos_of(result.clips, about),
        result.recall.n_gallery,
        n_bootstrap=N_BOOTSTRAP,
        seed=SEED,
    )
    low, high = ([round(end, 6) for end in ends] for ends in (curve.low, curve.high))
    return Curve(curve.hits, low, high, curve.n_units, curve.reason)


def seconds_of(searches: Sequence[SearchResult], reading: Sequence[float]) -> Seconds:
    without = [result.seconds for result in searches]
    both = [sum(pair) for pair in zip(without, reading, strict=True)]
    return Seconds(fmean(both), fmean(without), both, without)


@dataclass(frozen=True)
class Intervals:
    """The intervals of both forms."""

    equation1: Interval
    table5: Interval

    def of(self, form: str) -> Interval:
        """Return the interval of this form of FORMS."""
        return self.table5 if form == "table5" else self.equation1


@dataclass(frozen=True, kw_only=True)
class RebiasNumbers:
    """Both forms in percent with their intervals, or the `reason` why they are missing."""

    equation1: float | None = None
    table5: float | None = None
    reason: str = ""
    intervals: Intervals | None = None
    n_videos: int = 0

    def form(self, name: str) -> float | None:
        """Return the number of this form of FORMS."""
        return self.table5 if name == "table5" else self.equation1


@dataclass(frozen=True, kw_only=True)
class RebiasResult(RebiasNumbers):
    """The result with the recalls (0 to 1) behind it: text to video at each K, then video to text.
    `asked`: kind -> direction -> the number of queries and the gallery size.
    """

    spatial_mean: float | None = None
    temporal_mean: float | None = None
    spatial: Sequence[float] = ()
    temporal: Sequence[float] = ()
    asked: Mapping[str, Mapping[str, Sequence[int]]] = field(default_factory=dict)
    by_source: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def compare_halves(
    pairs: Iterable[tuple[str, VectorMatrix, VectorMatrix]], about: Mapping[int, tuple[int, str]]
) -> RebiasResult:
    """Return the result without `by_source`. `pairs`: each of HALVES with its captions and their
    gallery. `about`: the video and its category by clip.
    """
    searches: dict[str, dict[str, SearchResult]] = {}
    for kind, texts, gallery in pairs:
        directions = directions_of(texts, gallery)
        searches[kind] = {name: search(each, about) for name, each in directions.items()}
        if not searches[kind][DIRECTIONS[0]].recall.n_queries:
            return RebiasResult(reason=f"No clip with a vector has a {kind} caption with a vector.")
    spatial, temporal = (
        [_hits(searches[kind][way], about) for way in DIRECTIONS] for kind in HALVES
    )
    made = bootstrap_rebias(spatial, temporal, n_bootstrap=N_BOOTSTRAP, seed=SEED)
    return RebiasResult(
        equation1=made.rebias.equation1,
        table5=made.rebias.table5,
        reason=made.rebias.reason,
        spatial_mean=made.rebias.spatial_mean,
        temporal_mean=made.rebias.temporal_mean,
        spatial=list(made.rebias.spatial),
        temporal=list(made.rebias.temporal),
        intervals=Intervals(made.equation1, made.table5),
        n_videos=made.n_videos,
        asked={
            kind: {way: _asked(result) for way, result in searches[kind].items()} for kind in HALVES
        },
    )


def _asked(search: SearchResult) -> list[int]:
    return [search.recall.n_queries, search.recall.n_gallery]


def _hits(search: SearchResult, about: Mapping[int, tuple[int, str]]) -> QueryHits:
    return QueryHits(
        hits=search.recall.ranks[:, None] <= np.array(KS),
        videos=np.array([about[clip][0] for clip in search.clips.tolist()]),
    )
