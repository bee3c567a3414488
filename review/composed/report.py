"""How well stored vectors find the targets of test queries (TF-CoVR, section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from django.db.models import Max

from annotate.models import Project
from inference.backends.protocols import BackendError
from inference.models import Embedding, ModelSpec
from inference.registry import Role, has_role
from metrics.retrieval import (
    MeanAveragePrecision,
    mean_average_precision,
    rank_gallery,
    tfcovr_mean_average_precision,
)
from metrics.retrieval.average_precision import VERSION
from review.reports.inputs import Inputs
from review.retrieval.queries import clip_vectors
from review.triplets.queries import Query, newest_triplets, test_gallery, test_queries

KS = (5, 10, 25, 50)
SHOWN = 10
BASELINES = ("query", "text", "average")
CONVENTIONS = ("circo", "tfcovr")


@dataclass(frozen=True)
class Scores:
    """mAP and hits by K."""

    map: Mapping[int, float | None]
    hits: Mapping[int, int]
    n_relevant: int


@dataclass(frozen=True)
class BaselineScores:
    """The scores of each convention."""

    circo: Scores
    tfcovr: Scores

    def by(self, convention: str) -> Scores:
        """`convention`: of CONVENTIONS."""
        return self.circo if convention == "circo" else self.tfcovr


@dataclass(frozen=True)
class AskedFor:
    """A query: its key, its clip, its modification and its targets."""

    key: int
    clip: int
    text: str
    targets: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class ComposedScores:
    """`baselines`: scores by name. Without scores, `reason` says why, and `mend` what to change:
    "split", "embed" or "model"."""

    baselines: Mapping[str, BaselineScores] = field(default_factory=dict)
    reason: str = ""
    mend: str = ""


@dataclass(frozen=True, kw_only=True)
class Composed(ComposedScores):
    """`queries`: what was looked for. `rankings`: by baseline and the key of a query, the first
    SHOWN clips."""

    queries: Sequence[AskedFor] = ()
    rankings: Mapping[str, Mapping[int, Sequence[int]]] = field(default_factory=dict)


def composed_retrieval_inputs(project: Project) -> Iterator[Inputs]:
    """For each model that has made vectors of clips and of texts alike, how well the query clip
    alone, the modification alone, and the average of both find the targets.

    Cheap: vectors are read, and the model loaded, by `compute` alone.
    """
    triplets = newest_triplets(project)
    if triplets is None:
        return
    queries = test_queries(triplets)
    gallery = test_gallery(project, queries)
    made = Embedding.objects.filter(project=project, clip__in=gallery).order_by()
    for space, model_id in made.values_list("space").annotate(Max("model")).order_by("space"):
        model = ModelSpec.objects.get(pk=model_id)
        if has_role(model, Role.ENCODER):
            yield _inputs(project, model, space, queries, gallery, triplets.number)


def _inputs(
    project: Project,
    model: ModelSpec,
    space: str,
    queries: list[Query],
    gallery: list[int],
    number: int,
) -> Inputs:
    made = Embedding.objects.filter(project=project, space=space, clip__in=gallery)
    return Inputs(
        subject=space,
        method=f"metrics.retrieval {VERSION}",
        parameters={
            "model": model.name,
            "space": space[:8],
            "triplets": number,
            "queries": len(queries),
            "verified": sum(query.is_verified for query in queries),
            "gallery": len(gallery),
        },
        labels=[
            [[query.clip, query.text, query.targets] for query in queries],
            gallery,
            list(made.order_by("pk").values_list("pk", flat=True)),
        ],
        count=sum(len(query.targets) for query in queries),
        compute=lambda: _result(model, queries, gallery, clip_vectors(project, space, gallery)),
    )


def _result(
    model: ModelSpec, queries: list[Query], gallery: list[int], vectors: dict[int, np.ndarray]
) -> Composed:
    # For a worker: no web process loads a model.
    from review.retrieval.text_vectors import text_vectors

    if not queries:
        reason = "There are no test queries. Split the videos so that labels have test clips."
        return Composed(reason=reason, mend="split")
    if missing := len(gallery) - len(vectors):
        reason = f"{missing} of {len(gallery)} test clips have no vector. Embed the clips."
        return Composed(reason=reason, mend="embed")
    place_of = {clip: place for place, clip in enumerate(gallery)}
    every = np.stack([vectors[clip] for clip in gallery])
    clips = np.stack([vectors[query.clip] for query in queries])
    try:
        texts = text_vectors(model, [query.text for query in queries])
    except BackendError as error:
        reason = f"{model.name} could not embed the modifications: {error}"
        return Composed(reason=reason, mend="model")
    primary = [query.targets[0] for query in queries]
    scores: dict[str, BaselineScores] = {}
    first: dict[str, Mapping[int, Sequence[int]]] = {}
    for baseline, composed in zip(BASELINES, (clips, texts, (clips + texts) / 2), strict=True):
        ranked = rank_gallery(
            composed, every, max(KS), masked=[[place_of[query.clip]] for query in queries]
        )
        rankings = [[gallery[place] for place in places] for places in ranked]
        relevant = [query.targets for query in queries]
        scores[baseline] = BaselineScores(
            circo=_scores(mean_average_precision(rankings, relevant, KS)),
            tfcovr=_scores(_as_in_tfcovr(composed, primary, vectors, queries)),
        )
        first[baseline] = {
            query.key: ranking[:SHOWN] for query, ranking in zip(queries, rankings, strict=True)
        }
    asked = [AskedFor(query.key, query.clip, query.text, list(query.targets)) for query in queries]
    return Composed(baselines=scores, queries=asked, rankings=first)


def _as_in_tfcovr(
    composed: np.ndarray,
    primary: Sequence[int],
    vectors: dict[int, np.ndarray],
    queries: Sequence[Query],
) -> MeanAveragePrecision:
    """The gallery of TF-CoVR's code: the first target of each query, row by row."""
    rows = np.stack([vectors[clip] for clip in primary])
    own = [[row for row, clip in enumerate(primary) if clip == query.clip] for query in queries]
    ranked = rank_gallery(composed, rows, max(KS), masked=own)
    rankings = [[primary[row] for row in places] for places in ranked]
    return tfcovr_mean_average_precision(rankings, [query.targets for query in queries], KS)


def _scores(found: MeanAveragePrecision) -> Scores:
    return Scores(found.map, found.hits, found.n_relevant)
