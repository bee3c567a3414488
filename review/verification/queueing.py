"""Hands out machine captions for verification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction

from annotate.models import Caption, Project, WorkItem
from inference.queries import BATCH_SIZE
from review.errors import ReviewError
from review.studies.models import Study, StudyCaption

State = WorkItem.State


@transaction.atomic
def open_verifications(
    *, project: Project, priorities: Mapping[int, float], people: int = 1
) -> dict[int, int]:
    """Hand out each caption to this number of people for independent verification; returns the work
    items.

    `priorities`: caption -> the priority of its work. Safe to repeat: asking for more people later
    adds their places, and a higher priority takes the place of a lower one. Raises ReviewError if
    one isn't a machine caption of the project or has no words.
    """
    work: dict[int, int] = {}
    ordered = list(priorities.items())
    for start in range(0, len(ordered), BATCH_SIZE):
        work |= _open_some(project, dict(ordered[start : start + BATCH_SIZE]), people)
    return work


def kept_for_studies(items: Sequence[WorkItem]) -> set[int]:
    """Return the items that a running threshold study needs: it relates the errors of its captions
    to their scores, even if they are no longer current.
    """
    sampled = StudyCaption.objects.filter(
        item__in=[item.pk for item in items],
        study__kind=Study.Kind.THRESHOLD,
        study__stopped_at=None,
    )
    return set(sampled.values_list("item", flat=True))


def _open_some(project: Project, priorities: dict[int, float], people: int) -> dict[int, int]:
    clip_of = _checked(project, priorities)
    items = _items(project, priorities)
    for item in items.values():
        if people > item.needed or item.state == State.CANCELLED:
            item.open_slots += max(people - item.needed, 0)
            item.needed = max(people, item.needed)
            item.state = State.OPEN
        item.priority = max(item.priority, priorities[item.subject])
    WorkItem.objects.bulk_update(
        items.values(), ["needed", "open_slots", "state", "priority"], batch_size=100
    )
    WorkItem.objects.bulk_create(
        [
            WorkItem(
                project=project,
                clip_id=clip_of[caption],
                kind="verify",
                subject=caption,
                needed=people,
                open_slots=people,
                priority=priority,
            )
            for caption, priority in priorities.items()
            if caption not in items
        ],
        ignore_conflicts=True,  # another process can have opened it since
    )
    return {caption: item.pk for caption, item in _items(project, priorities).items()}


def _checked(project: Project, captions: Mapping[int, float]) -> dict[int, int]:
    """Return caption -> clip. Raises ReviewError for captions that can't be verified."""
    captions_checked = Caption.objects.filter(project=project, pk__in=list(captions)).values_list(
        "pk", "clip", "source", "word_count"
    )
    if len(captions_checked) < len(captions) or any(
        row[2] != Caption.Source.MACHINE for row in captions_checked
    ):
        raise ReviewError("Only machine captions can be verified. Choose one that a model wrote.")
    if not all(words for *_, words in captions_checked):
        raise ReviewError("The caption has no sentence to verify. Run the model again.")
    return {caption: clip for caption, clip, *_ in captions_checked}


def _items(project: Project, captions: Mapping[int, float]) -> dict[int, WorkItem]:
    """Return caption -> its locked work, if any."""
    items = WorkItem.objects.select_for_update(of=("self",)).filter(
        project=project, kind="verify", subject__in=list(captions)
    )
    return {item.subject: item for item in items.order_by("pk")}
