"""The imbalance of models between spatial and temporal retrieval (CaReBench, sections 3.4.1 and
5.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from annotate.models import Caption, Project
from metrics.rebias import VERSION, Interval, QueryHits, bootstrap_rebias
from metrics.retrieval.recall import VERSION as RECALL_VERSION
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.stored import StoredKind
from review.retrieval.queries import Setting, clips_with_categories, settings_of
from review.retrieval.report import captions_by_source, vector_inputs
from review.retrieval.searching import (
    DIRECTIONS,
    KS,
    SearchResult,
    directions_of,
    pairs_of,
    search,
)

N_BOOTSTRAP = 1000
SEED = 0
METHOD = f"metrics.rebias {VERSION}, recall {RECALL_VERSION}, sources"
FORMS = ("table5", "equation1")
HALVES = (Caption.Kind.SPATIAL, Caption.Kind.TEMPORAL)


def rebias_inputs(project: Project) -> Iterator[Inputs]:
    """Return an input for each setting with vectors of clips and of both kinds of captions. Cheap:
    only `compute` reads vectors.
    """
    for setting in settings_of(project):
        if has_both_halves(setting):
            yield rebias_input(project, setting)


def has_both_halves(setting: Setting) -> bool:
    return set(HALVES) <= set(setting.kinds)


def rebias_input(project: Project, setting: Setting) -> Inputs:
    """Return the input for a setting that `has_both_halves`."""
    return vector_inputs(
        setting,
        HALVES,
        method=METHOD,
        labels=[],
        more={"bootstrap": N_BOOTSTRAP},
        compute=partial(_result, project, setting),
        seed=SEED,
    )


@dataclass(frozen=True)
class Intervals:
    """The intervals of both forms."""

    equation1: Interval
    table5: Interval

    def of(self, form: str) -> Interval:
        """`form`: of FORMS."""
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
        """`name`: of FORMS."""
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


REBIAS = StoredKind(Report.Name.REBIAS, RebiasNumbers)


def _result(project: Project, setting: Setting) -> RebiasResult:
    about = clips_with_categories(project)
    searches: dict[str, dict[str, SearchResult]] = {}
    for kind, texts, gallery in pairs_of(project, setting, HALVES):
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
        asked={kind: {way: _asked(one) for way, one in searches[kind].items()} for kind in HALVES},
        by_source={kind: captions_by_source(project, setting, kind) for kind in HALVES},
    )


def _asked(search: SearchResult) -> list[int]:
    return [search.recall.n_queries, search.recall.n_gallery]


def _hits(search: SearchResult, about: Mapping[int, tuple[int, str]]) -> QueryHits:
    return QueryHits(
        hits=search.recall.ranks[:, None] <= np.array(KS),
        videos=np.array([about[clip][0] for clip in search.clips.tolist()]),
    )
