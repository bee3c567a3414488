"""Composed queries as a metric takes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet

from annotate.models import Clip, Project, Video
from inference.models import Embedding
from review.models import ComposedQuery, Triplet, TripletSet


@dataclass(frozen=True)
class Query:
    """A test query: its clip, its modification's text, and its targets, the primary one first."""

    key: int
    clip: int
    text: str
    targets: tuple[int, ...]


def newest_triplets(project: Project) -> TripletSet | None:
    return TripletSet.objects.filter(project=project, state=TripletSet.State.FINISHED).first()


def test_queries(triplets: TripletSet) -> list[Query]:
    """The queries of the test split, by key."""
    targets: dict[int, list[int]] = {}
    rows = Triplet.objects.filter(query__triplets=triplets, query__split=Video.Split.TEST)
    for query, target in rows.order_by("query", "place").values_list("query", "target"):
        targets.setdefault(query, []).append(target)
    queries = ComposedQuery.objects.filter(pk__in=targets).order_by("pk")
    return [
        Query(key, clip, text, tuple(targets[key]))
        for key, clip, text in queries.values_list("pk", "clip", "modification__text")
    ]


def test_clips(project: Project) -> QuerySet[Clip]:
    """What a test query is looked for among: the labelled clips of the test split."""
    return Clip.objects.filter(
        project=project, label__isnull=False, video__split=Video.Split.TEST
    ).order_by("pk")


def clip_vectors(project: Project, space: str, clips: list[int]) -> dict[int, np.ndarray]:
    """clip -> its newest vector in this space, as far as it has one."""
    rows = Embedding.objects.filter(project=project, space=space, clip__in=clips).order_by("pk")
    return {
        clip: np.frombuffer(vector, dtype="<f4")
        for clip, vector in rows.values_list("clip", "vector").iterator(chunk_size=500)
    }
