"""Retrieval of test queries' targets by stored vectors (TF-CoVR, section 5)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

import numpy as np
from django.db.models import Max, QuerySet

from annotate.models import Clip, Project
from inference.backends.protocols import BackendError
from inference.models import Embedding, ModelSpec
from inference.registry import Role, has_role
from metrics.retrieval.average_precision import VERSION
from review.composed import NAME
from review.composed.computing import Composed, ComposedScores, score_baselines
from review.composed.scoring import CIRCO_RULE
from review.errors import ReviewError
from review.reports.inputs import Inputs
from review.reports.plain import AnyTable, Table
from review.reports.registry import ReportKind
from review.reports.stored import StoredKind
from review.reports.subjects import named_subject
from review.retrieval.queries import (
    clip_vectors,
    frames_in_words,
    fresh_vectors,
    subject_of,
)
from review.triplets.models import TripletSet
from review.triplets.queries import newest_triplets, test_gallery, test_queries
from review.triplets.query import Query


@dataclass(frozen=True, kw_only=True)
class ComposedParameters:
    """`triplets`: the number of the set. `right_too`: the right clips `beyond_limit`, which is the
    rule for them. Earlier reports can lack a field with a default.
    """

    model: str
    space: str | None = None
    frames: str = "not stated"
    triplets: int
    most_targets: int | None = None
    beyond_limit: str | None = None
    right_too: int | None = None
    queries: int
    verified: int | None = None
    gallery: int


COMPOSED = StoredKind(NAME, ComposedScores, ComposedParameters)


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
        parameters=ComposedParameters(
            model=model.name,
            space=setting.space[:8],
            frames=frames_in_words(setting.sampling),
            triplets=triplets.number,
            most_targets=triplets.most_targets,
            beyond_limit=CIRCO_RULE,
            right_too=sum(len(query.right_too) for query in queries),
            queries=len(queries),
            verified=sum(query.is_verified for query in queries),
            gallery=len(gallery),
        ),
        labels=[
            [[query.clip, query.text, query.targets, query.right_too] for query in queries],
            gallery,
            list(vectors.order_by("pk").values_list("pk", flat=True)),
        ],
        count=sum(len(query.targets) for query in queries),
        compute=lambda: _result(model, queries, gallery, clip_vectors(vectors)),
        tables=lambda: _tables(model, queries, gallery, clip_vectors(vectors)),
    )


def _tables(
    model: ModelSpec, queries: list[Query], gallery: list[int], vectors: dict[int, np.ndarray]
) -> dict[str, AnyTable]:
    """Return the basis of the scores. The model embeds the texts again, because their vectors are
    not stored. Raises ReviewError if there are no scores, or the model can't embed them.
    """
    from review.retrieval.text_vectors import text_vectors

    if not queries or len(gallery) > len(vectors):
        raise ReviewError("It has no scores.")
    try:
        texts = text_vectors(model, [query.text for query in queries])
    except BackendError as error:
        raise ReviewError(f"{model.name} could not embed the modifications: {error}") from error
    columns = [field.name for field in fields(Query)]
    return {
        "queries": Table(columns, [astuple(query) for query in queries]),
        "texts_vectors": lambda: texts,
        "clips": Table(("clip",), [(clip,) for clip in gallery]),
        "names": Table(("clip", "name"), _names(gallery)),
        "clips_vectors": lambda: np.stack([vectors[clip] for clip in gallery]),
    }


def _names(gallery: Sequence[int]) -> list[tuple[int, str]]:
    """Return the clips with the names that a release has them under."""
    return list(Clip.objects.filter(pk__in=gallery).order_by("pk").values_list("pk", "name"))


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
    try:
        texts = text_vectors(model, [query.text for query in queries])
    except BackendError as error:
        reason = f"{model.name} could not embed the modifications: {error}"
        return Composed(reason=reason, mend="model")
    return score_baselines(queries, gallery, vectors, texts)


KIND = ReportKind(
    NAME,
    "mAP@K",
    composed_retrieval_inputs,
    Composed,
    page="metrics",
    subject=named_subject,
    about=lambda parameters: f"model {parameters.model}, {parameters.frames}",
)
