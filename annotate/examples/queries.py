"""What can become an example, and what examples hold back."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from annotate.kinds import Kind, kind_facts
from annotate.models import Assignment, Clip, Membership, Project, ShownExample, WorkItem
from annotate.queue.kinds import kinds_of


def kinds_with_examples(project: Project) -> list[Kind]:
    """Return the kinds of work of the project's protocol, and the optional kinds."""
    return kinds_of(project, project.pipeline.keys)


def finished_work(membership: Membership, kind: Kind, name: str = "") -> QuerySet[Assignment]:
    """Return finished work of the kind whose clip isn't an example yet, newest first.

    An admin who can do this work sees only items with no further open places: they could still get
    one, and must not see earlier answers.
    """
    examples = ShownExample.objects.filter(kind=kind, clip=OuterRef("item__clip"))
    work = Assignment.objects.filter(
        item__project=membership.project,
        item__kind=kind,
        item__purpose=WorkItem.Purpose.WORK,
        state=Assignment.State.SUBMITTED,
    ).exclude(Exists(examples))
    if membership.has_role(*kind_facts(kind).roles):
        work = work.filter(item__state=WorkItem.State.DONE)
    if name:
        work = work.filter(item__clip__name__icontains=name)
    rows = work.select_related("item__clip__video", "item__project", "annotator")
    return rows.order_by("-submitted_at", "-pk")


def other_clips(project: Project, kind: str, name: str) -> QuerySet[Clip]:
    """Return clips of this name that are not examples yet, for a result that the admin writes."""
    examples = ShownExample.objects.filter(kind=kind, clip=OuterRef("pk"))
    clips = Clip.objects.filter(project=project, name__icontains=name).exclude(Exists(examples))
    return clips.select_related("video").order_by("name", "pk")


def held_back(project: Project, kind: str) -> dict[int, int]:
    """Return, for each clip, how many open places an example blocks."""
    items = WorkItem.objects.filter(
        project=project, kind=kind, state=WorkItem.State.OPEN, open_slots__gt=0
    )
    example_clips = ShownExample.objects.filter(project=project, kind=kind).values("clip")
    places: dict[int, int] = {}
    for clip, number in items.filter(clip__in=example_clips).values_list("clip", "open_slots"):
        places[clip] = places.get(clip, 0) + number
    return places
