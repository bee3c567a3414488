"""Retrieval of test queries' targets by stored vectors (TF-CoVR, section 5)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.db.models import Max, QuerySet

from annotate.models import Project
from inference.backends.protocols import BackendError
from inference.models import Embedding, ModelSpec
from inference.registry import Role, has_role
from metrics.retrieval import (
    MeanAveragePrecision,
    rank_gallery,
    tfcovr_mean_average_precision,
)
from metrics.retrieval.average_precision import VERSION
from review.composed.scoring import (
    CIRCO_RULE,
    KS,
    NO_SCORES,
    Scores,
    as_scores,
    deepest_rank,
    score_circo,
    score_unlimited,
)
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.stored import StoredKind
from review.retrieval.queries import (
    clip_vectors,
    frames_in_words,
    fresh_vectors,
    subject_of,
)
from review.triplets.models import TripletSet
from review.triplets.queries import Query, newest_triplets, test_gallery, test_queries

SHOWN = 10
BASELINES = ("query", "text", "average")


@dataclass(frozen=True)
class BaselineScores:
    """The scores of each convention; older reports lack "unlimited"."""

    circo: Scores
    tfcovr: Scores
    unlimited: Scores = NO_SCORES

    def by(self, convention: str) -> Scores:
        """`convention`: of CONVENTIONS."""
        return {"circo": self.circo, "unlimited": self.unlimited, "tfcovr": self.tfcovr}[convention]


@dataclass(frozen=True)
class AskedFor:
    """A query with its key, clip, modification, targets, and the other right clips."""

    key: int
    clip: int
    text: str
    targets: Sequence[int]
    right_too: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True)
class ComposedScores:
    """`baselines`: scores by name. Without scores, `reason` says why, and `mend` names the fix:
    "split", "embed" or "model".
    """

    baselines: Mapping[str, BaselineScores] = field(default_factory=dict)
    reason: str = ""
    mend: str = ""


@dataclass(frozen=True, kw_only=True)
class Composed(ComposedScores):
    """`queries`: the test queries. `rankings`: by baseline and key of a query, the first SHOWN
    clips, and the right clips between them that don't count.
    """

    queries: Sequence[AskedFor] = ()
    rankings: Mapping[str, Mapping[int, Sequence[int]]] = field(default_factory=dict)


COMPOSED = StoredKind(Report.Name.COMPOSED_RETRIEVAL, ComposedScores)


@dataclass(frozen=True)
class VectorSetting:
    """An encoder with one sampling of frames, and its vectors of clips of the gallery."""

    model: ModelSpec
    space: str
    sampling: Mapping[str, Any]
    vectors: QuerySet[Embedding]

    @property
    def subject(self) -> str:
        return subject_of(self.space, json.dumps(self.sampling, sort_keys=True))


def vector_settings(project: Project, gallery: Sequence[int]) -> Iterator[VectorSetting]:
    """Yield each setting with vectors of the gallery whose model embeds texts too."""
    vectors = fresh_vectors(project).filter(clip__in=gallery)
    settings = vectors.order_by("space").values_list("space", "sampling").annotate(Max("model"))
    for space, sampling, model_id in settings:
        model = ModelSpec.objects.get(pk=model_id)
        if has_role(model, Role.ENCODER):
            of_setting = vectors.filter(space=space, sampling=sampling)
            yield VectorSetting(model, space, sampling, of_setting)


def composed_retrieval_inputs(project: Project) -> Iterator[Inputs]:
    """Return an input for each model and sampling of frames with vectors of the test clips. They
    compare retrieval by the query clip alone, by the modification alone, and by the average.

    Cheap: only `compute` reads vectors and loads the model.
    """
    triplets = newest_triplets(project)
    if triplets is None:
        return
    queries = test_queries(triplets)
    gallery = test_gallery(project, queries)
    for setting in vector_settings(project, gallery):
        yield _inputs(project, setting, queries, gallery, triplets)


def _inputs(
    project: Project,
    setting: VectorSetting,
    queries: list[Query],
    gallery: list[int],
    triplets: TripletSet,
) -> Inputs:
    model, vectors = setting.model, setting.vectors
    return Inputs(
        subject=setting.subject,
        method=f"metrics.retrieval {VERSION}",
        parameters={
            "model": model.name,
            "space": setting.space[:8],
            "frames": frames_in_words(setting.sampling),
            "triplets": triplets.number,
            "most_targets": triplets.most_targets,
            "beyond_limit": CIRCO_RULE,
            "right_too": sum(len(query.right_too) for query in queries),
            "queries": len(queries),
            "verified": sum(query.is_verified for query in queries),
            "gallery": len(gallery),
        },
        labels=[
            [[query.clip, query.text, query.targets, query.right_too] for query in queries],
            gallery,
            list(vectors.order_by("pk").values_list("pk", flat=True)),
        ],
        count=sum(len(query.targets) for query in queries),
        compute=lambda: _result(model, queries, gallery, clip_vectors(vectors)),
    )


def _result(
    model: ModelSpec, queries: list[Query], gallery: list[int], vectors: dict[int, np.ndarray]
) -> Composed:
    # Import here, for a worker: no web process loads a model.
    from review.retrieval.text_vectors import text_vectors

    if not queries:
        reason = "There are no test queries. Split the videos so that labels have test clips."
        return Composed(reason=reason, mend="split")
    if missing := len(gallery) - len(vectors):
        reason = f"{missing} of {len(gallery)} test clips have no vector. Embed the clips."
        return Composed(reason=reason, mend="embed")
    place_of = {clip: place for place, clip in enumerate(gallery)}
    matrix = np.stack([vectors[clip] for clip in gallery])
    clips = np.stack([vectors[query.clip] for query in queries])
    try:
        texts = text_vectors(model, [query.text for query in queries])
    except BackendError as error:
        reason = f"{model.name} could not embed the modifications: {error}"
        return Composed(reason=reason, mend="model")
    primary = [query.targets[0] for query in queries]
    deepest = deepest_rank(queries)
    scores: dict[str, BaselineScores] = {}
    first: dict[str, Mapping[int, Sequence[int]]] = {}
    for baseline in BASELINES:
        composed = compose(baseline, clips, texts)
        ranked = rank_gallery(
            composed, matrix, deepest, masked=[[place_of[query.clip]] for query in queries]
        )
        rankings = [[gallery[place] for place in places] for places in ranked]
        scores[baseline] = BaselineScores(
            circo=as_scores(score_circo(rankings, queries)),
            unlimited=as_scores(score_unlimited(rankings, queries)),
            tfcovr=as_scores(_as_in_tfcovr(composed, primary, vectors, queries)),
        )
        first[baseline] = {
            query.key: _shown(ranking, query)
            for query, ranking in zip(queries, rankings, strict=True)
        }
    scored = [
        AskedFor(query.key, query.clip, query.text, list(query.targets), list(query.right_too))
        for query in queries
    ]
    return Composed(baselines=scores, queries=scored, rankings=first)


def compose(baseline: str, clips: np.ndarray, texts: np.ndarray) -> np.ndarray:
    """Return the (queries, dimension) vectors of composed queries. `baseline`: of BASELINES;
    `clips`, `texts`: (queries, dimension) unit vectors of the query clips and the modifications.
    """
    composed: dict[str, np.ndarray] = {
        "query": clips,
        "text": texts,
        "average": (clips + texts) / 2,
    }
    return composed[baseline]


def _shown(ranking: Sequence[int], query: Query) -> Sequence[int]:
    """Return the first SHOWN clips that count, and the omitted right clips between them."""
    left_out, counted = set(query.right_too), 0
    for place, clip in enumerate(ranking):
        counted += clip not in left_out
        if counted == SHOWN:
            return ranking[: place + 1]
    return ranking


def _as_in_tfcovr(
    composed: np.ndarray,
    primary: Sequence[int],
    vectors: dict[int, np.ndarray],
    queries: Sequence[Query],
) -> MeanAveragePrecision:
    """Return the gallery of TF-CoVR's code: the first target of each query, row by row."""
    rows = np.stack([vectors[clip] for clip in primary])
    own = [[row for row, clip in enumerate(primary) if clip == query.clip] for query in queries]
    ranked = rank_gallery(composed, rows, max(KS), masked=own)
    rankings = [[primary[row] for row in places] for places in ranked]
    return tfcovr_mean_average_precision(rankings, [query.targets for query in queries], KS)
