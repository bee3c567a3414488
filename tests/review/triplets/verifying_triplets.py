"""Composed queries that somebody verifies, for tests."""

from __future__ import annotations

from typing import Any

from annotate.models import Assignment, Clip, Project, User, WorkItem
from review.triplets.models import ComposedQuery
from review.triplets.verdicts import hand_out_queries
from tests.review.triplets.triplets import labelled_clip, make_label, make_triplet, modify
from tests.work import hold

ANSWERS = {"right": "yes", "enough": "yes", "needed": "yes"}


def make_query(project: Project, targets: int = 2, text: str = "show with 2.5 somersaults"):
    """A test query with its targets, a label each."""
    labels = make_label(project, "107b", "Forward <b>1.5</b>"), make_label(project, "109b")
    clip = labelled_clip(project, labels[0], "test")
    modification = modify(*labels, text)
    for place in range(targets):
        target = labelled_clip(project, labels[1], "test")
        triplet = make_triplet(clip, modification, target, place=place)
    return triplet.query


def more_clips(query: ComposedQuery, number: int = 1, split: str = "test") -> list[Clip]:
    """Further clips of the target's label."""
    label = query.modification.target
    return [labelled_clip(query.clip.project, label, split) for _ in range(number)]


def hold_query(person: User, query: ComposedQuery, **fields: Any) -> Assignment:
    hand_out_queries(triplets=query.triplets, split=query.split, most=10, people=2, admin=None)
    return hold(person, WorkItem.objects.get(subject=query.pk), **fields)


def targets_of(query: ComposedQuery) -> list[int]:
    return list(query.targets.values_list("target", flat=True))


def all_valid(query: ComposedQuery) -> dict[str, str]:
    return ANSWERS | {f"target-{clip}": "valid" for clip in targets_of(query)}
