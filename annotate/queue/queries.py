"""Queries for people who may take work, and for submitted captions."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from annotate.errors import AnnotateError
from annotate.kinds import kind_facts
from annotate.models import Assignment, Caption, Membership, Project, WorkItem


def members_for(project: Project, kind: str) -> QuerySet[Membership]:
    """Return the members who may take this kind of work, by their roles."""
    has_role = Q()
    for role in kind_facts(kind).roles:
        has_role |= Q(**{f"is_{role}": True})
    return Membership.objects.filter(has_role, project=project, user__is_active=True)


def caption_asked_about(item: WorkItem) -> Caption:
    """Return the caption that the work is about, with its clip and video. Raises AnnotateError if
    it isn't one of the item's clip."""
    captions = Caption.objects.select_related("clip__video")
    caption = captions.filter(pk=item.subject, clip=item.clip_id).first()
    if caption is None:
        raise AnnotateError("This work names no caption of its clip. Skip it, and tell an admin.")
    return caption


def latest_caption(assignment: Assignment) -> Caption | None:
    """Return the assignment's latest caption."""
    return assignment.captions.order_by("-id").first()


def held_meanwhile(assignment: Assignment) -> Assignment | None:
    """Return other work of the same kind that the person holds while they change this one."""
    return Assignment.objects.filter(
        annotator=assignment.annotator,
        item__project=assignment.item.project_id,
        item__kind=assignment.item.kind,
        state=Assignment.State.HELD,
    ).first()
