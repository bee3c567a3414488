"""Composed queries as a metric takes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from django.db.models import QuerySet

from annotate.models import Clip, Project, Video
from inference.models import Embedding
from review.triplets.models import TripletSet
from review.triplets.rows import targets_of, verified_queries


@dataclass(frozen=True)
class Query:
    """A test query: its clip, its modification's text, and its targets, the primary one first."""

    key: int
    clip: int
    text: str
    targets: tuple[int, ...]
    is_verified: bool = False


def newest_triplets(project: Project) -> TripletSet | None:
    return TripletSet.objects.filter(project=project, state=TripletSet.State.FINISHED).first()


def test_queries(triplets: TripletSet) -> list[Query]:
    """The queries of the test split, by key: as people found them, where they verified them, and
    else as they were generated. One that people left without a target is not among them."""
    queries = triplets.queries.filter(split=Video.Split.TEST).order_by("pk")
    keys = queries.order_by().values("pk")
    generated, verified = targets_of(keys), verified_queries(keys)
    found: list[Query] = []
    for key, clip, text in queries.values_list("pk", "clip", "modification__text"):
        targets = [target for target, _ in generated[key]]
        if judged := verified.get(key):
            text = judged.text or text
            targets = judged.targets(targets, triplets.most_targets)
        if targets:
            found.append(Query(key, clip, text, tuple(targets), judged is not None))
    return found


def test_gallery(project: Project, queries: Iterable[Query]) -> list[int]:
    """What a test query is looked for among: the labelled clips of the test split, and whatever
    else people have found to be a target."""
    labelled = test_clips(project).values_list("pk", flat=True)
    return sorted(
        {*labelled, *(clip for query in queries for clip in (query.clip, *query.targets))}
    )


def test_clips(project: Project) -> QuerySet[Clip]:
    """The labelled clips of the test split."""
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
