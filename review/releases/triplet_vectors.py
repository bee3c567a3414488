"""Which vectors of the clips a release in TF-CoVR's form has."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, QuerySet

from annotate.models import Project
from inference.models import Embedding, ModelSpec
from review.retrieval.queries import fresh_vectors


@dataclass(frozen=True)
class VectorChoice:
    """Vectors of one encoder and sampling of frames that all clips have."""

    model: str
    model_id: str
    revision: str
    space: str
    sampling: Mapping[str, Any]
    dimension: int


def choose_vectors(project: Project, clips: Collection[int]) -> VectorChoice | None:
    """Return the newest vectors that all clips have, if there are any."""
    counted = (
        fresh_vectors(project)
        .filter(clip__isnull=False)
        .order_by()
        .values("space", "sampling", "dimension", "model")
        .annotate(n=Count("clip", distinct=True), last=Max("pk"))
    )
    for row in sorted(counted, key=lambda row: -row["last"]):
        if row["n"] >= len(clips):
            model = ModelSpec.objects.get(pk=row["model"])
            choice = VectorChoice(
                model=model.name,
                model_id=model.model_id,
                revision=model.revision,
                space=row["space"],
                sampling=row["sampling"],
                dimension=row["dimension"],
            )
            of_clips = vectors_of(project, choice).order_by().values_list("clip", flat=True)
            if set(clips) <= set(of_clips):
                return choice
    return None


def vectors_of(project: Project, choice: VectorChoice) -> QuerySet[Embedding]:
    return fresh_vectors(project).filter(space=choice.space, sampling=choice.sampling)
