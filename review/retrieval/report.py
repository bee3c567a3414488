"""Text-to-video and video-to-text recall from stored vectors (CaReBench, section 5.2; LoVR, section
4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count

from annotate.models import Project
from metrics.retrieval import Recall, recall_of_vectors
from metrics.retrieval.recall import TIE_TOLERANCE, VERSION
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.stored import StoredKind
from review.retrieval.matrix import VectorMatrix, read_matrix
from review.retrieval.queries import (
    GALLERY_OF,
    Setting,
    category_marks,
    clips_with_categories,
    rows_of,
    settings_of,
)

KS = (1, 5, 10)
T2V, V2T = "t2v", "v2t"
DIRECTIONS = (T2V, V2T)
# Version of the `sources` in the result: the sources of the captions; 2: each source separately.
METHOD = f"metrics.retrieval.recall {VERSION}, sources 2"


@dataclass(frozen=True)
class Shares:
    """Recall by K, from 0 to 1; None without queries."""

    recall: Mapping[int, float | None]
    n_queries: int


@dataclass(frozen=True, kw_only=True)
class Way(Shares):
    """One direction: the recall of all queries and of those of each category, in a gallery of
    `n_gallery`. `reason` explains why there is no recall.
    """

    n_gallery: int
    by_category: Mapping[str, Shares]
    reason: str = ""


@dataclass(frozen=True)
class BothWays:
    """Text to video and video to text."""

    t2v: Way
    v2t: Way

    def way(self, name: str) -> Way:
        """`name`: of DIRECTIONS."""
        return self.t2v if name == T2V else self.v2t


@dataclass(frozen=True)
class RecallNumbers:
    """The numbers that tables show, by kind of caption."""

    kinds: Mapping[str, BothWays] = field(default_factory=dict)


@dataclass(frozen=True)
class Seconds:
    """The steps that LoVR times; a report isn't computed from these."""

    with_io: float
    without_io: float


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


@dataclass(frozen=True, kw_only=True)
class VectorInfo(RecallNumbers):
    """The vectors' origin, with their `space` ("" for a file) and the sampling of frames.
    `by_source`: the captions of each kind by source.
    """

    space: str = ""
    sampling: Mapping[str, Any] | None = None
    by_source: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RecallResult(VectorInfo):
    """The whole result. `without`: captions of each kind that are no queries because their clip has
    no vector. `sha256` is that of the vectors.
    """

    kinds: Mapping[str, FullBothWays] = field(default_factory=dict)
    dimension: int
    without: Mapping[str, int]
    sha256: str


RECALL = StoredKind(Report.Name.RECALL, RecallNumbers)


class Found(NamedTuple):
    """One direction. `clips`: the clip of each query. `seconds`: the computing time."""

    recall: Recall
    clips: np.ndarray
    seconds: float


def recall_inputs(project: Project) -> Iterator[Inputs]:
    """Return an input for each model with vectors of clips and captions, or of whole videos and
    their captions; one for each sampling of frames, and one for each vector file.

    Cheap: only `compute` reads vectors.
    """
    categories = category_marks(project)
    for setting in settings_of(project):
        if setting.kinds:
            yield recall_input(project, setting, categories)


def recall_input(project: Project, setting: Setting, categories: list[Any]) -> Inputs:
    """Return the input for a setting that has `kinds`. `categories`: the project's
    `category_marks`.
    """
    return vector_inputs(
        setting,
        setting.kinds,
        method=METHOD,
        labels=categories,
        compute=partial(_result, project, setting),
    )


def vector_inputs(
    setting: Setting,
    kinds: Iterable[str],
    *,
    method: str,
    labels: list[Any],
    more: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Inputs:
    """Return the inputs of a report over the setting's vectors of these kinds of captions and of
    their galleries.
    """
    used = [*dict.fromkeys(GALLERY_OF[kind] for kind in kinds), *kinds]
    of_file = {"file": setting.file_sha256[:8], "newer": setting.newer}
    of_run = {"space": setting.space[:8], "frames": setting.frames, "stale": setting.stale}
    return Inputs(
        subject=setting.subject,
        method=method,
        parameters={
            "model": setting.model,
            **(of_run if setting.space else of_file),
            "captions": setting.captions_from(kinds),
            **{part: setting.count(part) for part in used},
            "k": ",".join(map(str, KS)),
            "ties": TIE_TOLERANCE,
            **(more or {}),
        },
        labels=[
            setting.space,
            setting.sampling,
            setting.file_sha256,
            [[part, *setting.parts[part]] for part in used],
            labels,
        ],
        count=sum(setting.count(part) for part in used),
        **fields,
    )


def _result(project: Project, setting: Setting) -> RecallResult:
    about = clips_with_categories(project)
    digest = sha256()
    dimension = 0
    kinds: dict[str, FullBothWays] = {}
    without: dict[str, int] = {}
    by_source: dict[str, Mapping[str, int]] = {}
    for kind, texts, gallery in pairs_of(project, setting, setting.kinds):
        digest.update(f"{kind} {texts.sha256} {gallery.sha256} ".encode())
        reading = texts.seconds + gallery.seconds
        found = search(texts, gallery, about)
        dimension = gallery.rows.shape[1]
        kinds[kind] = FullBothWays(**{way: _numbers(one, reading) for way, one in found.items()})
        without[kind] = len(texts) - found[T2V].recall.n_queries
        by_source[kind] = captions_by_source(project, setting, kind)
    return RecallResult(
        space=setting.space,
        sampling=setting.sampling,
        dimension=dimension,
        kinds=kinds,
        without=without,
        by_source=by_source,
        sha256=digest.hexdigest(),
    )


def captions_by_source(project: Project, setting: Setting, kind: str) -> dict[str, int]:
    """Count the captions with a vector by source."""
    of_kind = rows_of(project, setting, kind).order_by()
    rows = of_kind.values_list("caption__source").annotate(n=Count("caption", distinct=True))
    return dict(rows)


def pairs_of(
    project: Project, setting: Setting, kinds: Iterable[str]
) -> Iterator[tuple[str, VectorMatrix, VectorMatrix]]:
    """Yield each kind with its captions and their gallery. At most three matrices are in memory,
    plus the copies that the metric makes.
    """
    name, gallery = "", None
    for kind in kinds:
        if gallery is None or GALLERY_OF[kind] != name:
            name = GALLERY_OF[kind]
            gallery = None  # before the next is read
            gallery = read_matrix(project, setting, name)
        yield kind, read_matrix(project, setting, kind), gallery


def search(
    texts: VectorMatrix, gallery: VectorMatrix, about: Mapping[int, tuple[int, str]]
) -> dict[str, Found]:
    """Search in both directions. A caption whose clip isn't in the gallery is no query, but stays
    in the gallery of captions. The same applies to a clip without a caption.
    """
    place_of = {int(clip): place for place, clip in enumerate(gallery.clips)}
    asking = np.array([int(clip) in place_of for clip in texts.clips], dtype=bool)
    of_place: dict[int, list[int]] = {}
    for row in np.flatnonzero(asking).tolist():
        of_place.setdefault(place_of[int(texts.clips[row])], []).append(row)
    places = np.array(sorted(of_place), dtype=np.int64)
    asked = texts.clips[asking]
    return {
        T2V: _search(
            texts.rows if asking.all() else texts.rows[asking],
            gallery.rows,
            [[place_of[clip]] for clip in asked.tolist()],
            asked,
            about,
        ),
        V2T: _search(
            gallery.rows if len(places) == len(gallery) else gallery.rows[places],
            texts.rows,
            [of_place[place] for place in places.tolist()],
            gallery.clips[places],
            about,
        ),
    }


def _search(
    queries: np.ndarray,
    gallery: np.ndarray,
    relevant: list[list[int]],
    clips: np.ndarray,
    about: Mapping[int, tuple[int, str]],
) -> Found:
    started = perf_counter()
    categories = [about[clip][1] if clip in about else "" for clip in clips.tolist()]
    recall = recall_of_vectors(queries, gallery, relevant, KS, categories=categories)
    return Found(recall, clips, perf_counter() - started)


def _numbers(found: Found, reading: float) -> FullWay:
    recall = found.recall
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
        seconds=Seconds(with_io=found.seconds + reading, without_io=found.seconds),
    )


def recall_clip_counts(result: RecallNumbers) -> list[int]:
    """Return how many clips of each kind of caption a result describes."""
    return [ways.v2t.n_queries for ways in result.kinds.values()]
