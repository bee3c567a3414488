"""How well stored vectors find the targets of test queries (TF-CoVR, section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

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
) -> dict[str, Any]:
    """`baselines`: by name, the scores of each convention. `queries`: what was looked for.
    `rankings`: by baseline and query, the first SHOWN clips.

    Or the `reason` why there is none of them, and what to `mend`: "split", "embed" or "model".
    """
    # For a worker: no web process loads a model.
    from review.retrieval.text_vectors import text_vectors

    if not queries:
        reason = "There is no test query. Split the videos so that labels have test clips."
        return {"reason": reason, "mend": "split"}
    if missing := len(gallery) - len(vectors):
        reason = f"{missing} of {len(gallery)} test clips have no vector. Embed the clips."
        return {"reason": reason, "mend": "embed"}
    place_of = {clip: place for place, clip in enumerate(gallery)}
    every = np.stack([vectors[clip] for clip in gallery])
    clips = np.stack([vectors[query.clip] for query in queries])
    try:
        texts = text_vectors(model, [query.text for query in queries])
    except BackendError as error:
        reason = f"{model.name} made no vectors of the modifications: {error}"
        return {"reason": reason, "mend": "model"}
    primary = [query.targets[0] for query in queries]
    result: dict[str, Any] = {
        "baselines": {},
        "queries": [
            {
                "key": query.key,
                "clip": query.clip,
                "text": query.text,
                "targets": list(query.targets),
            }
            for query in queries
        ],
        "rankings": {},
    }
    for baseline, composed in zip(BASELINES, (clips, texts, (clips + texts) / 2), strict=True):
        ranked = rank_gallery(
            composed, every, max(KS), masked=[[place_of[query.clip]] for query in queries]
        )
        rankings = [[gallery[place] for place in places] for places in ranked]
        relevant = [query.targets for query in queries]
        result["baselines"][baseline] = {
            "circo": _scores(mean_average_precision(rankings, relevant, KS)),
            "tfcovr": _scores(_as_in_tfcovr(composed, primary, vectors, queries)),
        }
        result["rankings"][baseline] = {
            str(query.key): ranking[:SHOWN]
            for query, ranking in zip(queries, rankings, strict=True)
        }
    return result


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


def _scores(found: MeanAveragePrecision) -> dict[str, Any]:
    return {
        "map": {str(k): value for k, value in found.map.items()},
        "hits": {str(k): hits for k, hits in found.hits.items()},
        "n_relevant": found.n_relevant,
    }
