"""The only way a view gets an object. An outsider gets 404, a member without the role 403."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from annotate.models import (
    Assignment,
    Clip,
    ImportBatch,
    ImportItem,
    Membership,
    Role,
    Video,
    WorkItem,
)

# Who may take each kind of work.
ROLES_FOR_KIND = {
    WorkItem.Kind.WRITE: (Role.ANNOTATOR,),
    WorkItem.Kind.MERGE: (Role.EXPERT,),
    WorkItem.Kind.SPLIT: (Role.ANNOTATOR, Role.EXPERT),
}


def member(request: HttpRequest, slug: str, *roles: str) -> Membership:
    """The signed-in person's membership of the project, with one of `roles` if any are named."""
    membership = (
        Membership.objects.select_related("project")
        .filter(user=request.user, project__slug=slug)
        .first()
    )
    if membership is None:
        raise Http404("No such project.")
    if roles and not membership.has_role(*roles):
        raise PermissionDenied(f"This needs the role {' or '.join(roles)} in the project.")
    membership.user = request.user
    return membership


def worker(request: HttpRequest, slug: str, kind: str) -> Membership:
    """The membership of somebody who may take this kind of work."""
    if kind not in ROLES_FOR_KIND:
        raise Http404("No such kind of work.")
    return member(request, slug, *ROLES_FOR_KIND[kind])


def own_assignment(request: HttpRequest, assignment_id: int) -> Assignment:
    """An assignment of the signed-in person, with its item, clip, video and project.

    It is gone (404) for everybody else, and for its author once they have left the project.
    """
    rows = Assignment.objects.select_related("item__clip__video", "item__project")
    return _own(request, rows, assignment_id)


def own_hold(request: HttpRequest, assignment_id: int) -> Assignment:
    """The same assignment for what a page's script sends: without what only the page shows."""
    rows = Assignment.objects.select_related("item__clip", "item__project").only(
        "watched",
        "draft_version",
        "item__kind",
        "item__project__slug",
        "item__project__lease_minutes",
        "item__clip__name",
        "item__clip__start_frame",
        "item__clip__end_frame",
    )
    return _own(request, rows, assignment_id)


def _own(request: HttpRequest, rows: QuerySet[Assignment], assignment_id: int) -> Assignment:
    assignment = get_object_or_404(
        rows.filter(annotator=request.user, item__project__memberships__user=request.user),
        pk=assignment_id,
    )
    assignment.annotator = request.user
    return assignment


def own_draft(request: HttpRequest, assignment_id: int) -> Assignment:
    """The same assignment with just what saving its draft looks at."""
    return _own(request, Assignment.objects.only("state", "lease_expires_at"), assignment_id)


def clip(request: HttpRequest, slug: str, clip_id: int) -> tuple[Membership, Clip]:
    membership = member(request, slug)
    found = get_object_or_404(
        Clip.objects.select_related("video"), pk=clip_id, project=membership.project
    )
    return membership, found


def video(request: HttpRequest, slug: str, video_id: int) -> Video:
    return get_object_or_404(
        Video, pk=video_id, project__slug=slug, project__memberships__user=request.user
    )


def import_batch(request: HttpRequest, slug: str, batch_id: int) -> tuple[Membership, ImportBatch]:
    membership = member(request, slug, Role.ADMIN)
    return membership, get_object_or_404(ImportBatch, pk=batch_id, project=membership.project)


def import_item(request: HttpRequest, slug: str, item_id: int) -> tuple[Membership, ImportItem]:
    membership = member(request, slug, Role.ADMIN)
    found = get_object_or_404(
        ImportItem.objects.select_related("batch"), pk=item_id, batch__project=membership.project
    )
    return membership, found
