"""Access to objects for views, the only way to get one. An outsider gets 404, a member without the
role 403.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from annotate.kinds import is_kind, kind_facts
from annotate.models import (
    ActionLabel,
    Assignment,
    Clip,
    ImportBatch,
    ImportItem,
    Job,
    Membership,
    NearDuplicate,
    Role,
    User,
    Video,
    Webhook,
)


class UserRequest(HttpRequest):
    """The request of a signed-in user, as views get it: `middleware.SignInFirst` lets no other
    through. A view marked `login_not_required` takes Django's `HttpRequest` instead."""

    user: User


def member(request: UserRequest, slug: str, *roles: str) -> Membership:
    """Return the signed-in person's membership of the project, with one of `roles` if given."""
    memberships = Membership.objects.select_related("project")
    membership = memberships.filter(user=request.user, project__slug=slug).first()
    if membership is None:
        raise Http404("No such project.")
    if roles and not membership.has_role(*roles):
        raise PermissionDenied(f"This needs the role {' or '.join(roles)} in the project.")
    membership.user = request.user
    return membership


def worker(request: UserRequest, slug: str, kind: str) -> Membership:
    """Return the signed-in person's membership if they may take this kind of work."""
    if not is_kind(kind):
        raise Http404("No such kind of work.")
    return member(request, slug, *kind_facts(kind).roles)


def own_assignment(request: UserRequest, assignment_id: int, kind: str = "") -> Assignment:
    """Return an assignment of the signed-in person, with its item, clip, video and project, and
    their membership.

    Raises 404 for everybody else, for its author after they have left the project or were
    deactivated, and for work of another kind if a `kind` is given.
    """
    own = _own(request).select_related("item__project", "item__clip__video")
    assignment = _get(own, assignment_id)
    item = assignment.item
    assignment.membership = Membership.objects.get(project=item.project_id, user=request.user)
    assignment.membership.project = item.project
    assignment.annotator = assignment.membership.user = request.user
    if kind and item.kind != kind:
        raise Http404(f"This work is not of the kind {kind_facts(kind).label}.")
    return assignment


def own_hold(request: UserRequest, assignment_id: int) -> Assignment:
    """Return the same assignment for a page's script, without the data that only the page shows."""
    own = _own(request).select_related("item__project", "item__clip").defer("draft")
    assignment = _get(own, assignment_id)
    assignment.annotator = request.user
    return assignment


def own_draft(request: UserRequest, assignment_id: int) -> Assignment:
    """Return the same assignment with only the data needed to save its draft."""
    return _get(_own(request).only("state", "lease_expires_at"), assignment_id)


def _own(request: UserRequest) -> QuerySet[Assignment]:
    """Return the signed-in person's assignments in the projects of which they are a member."""
    return Assignment.objects.filter(
        annotator=request.user,
        item__project__memberships__user=request.user,
        item__project__memberships__deactivated_at=None,
    )


def _get(own: QuerySet[Assignment], assignment_id: int) -> Assignment:
    assignment = own.filter(pk=assignment_id).first()
    if assignment is None:
        raise Http404("You have no such work.")
    return assignment


def clip(request: UserRequest, slug: str, clip_id: int) -> tuple[Membership, Clip]:
    membership = member(request, slug)
    clip = get_object_or_404(
        Clip.objects.select_related("video", "label"), pk=clip_id, project=membership.project
    )
    return membership, clip


def label(
    request: UserRequest, slug: str, label_id: int, *roles: str
) -> tuple[Membership, ActionLabel]:
    membership = member(request, slug, *roles)
    labels = ActionLabel.objects.select_related("project")
    return membership, get_object_or_404(labels, pk=label_id, project=membership.project)


def near_duplicate(
    request: UserRequest, slug: str, pair_id: int, *roles: str
) -> tuple[Membership, NearDuplicate]:
    membership = member(request, slug, *roles)
    pairs = NearDuplicate.objects.select_related("project", "first", "second")
    return membership, get_object_or_404(pairs, pk=pair_id, project=membership.project)


def video(request: UserRequest, slug: str, video_id: int) -> Video:
    return get_object_or_404(
        Video,
        pk=video_id,
        project__slug=slug,
        project__memberships__user=request.user,
        project__memberships__deactivated_at=None,
    )


def job(request: UserRequest, slug: str, job_id: int) -> tuple[Membership, Job]:
    membership = member(request, slug, Role.ADMIN)
    jobs = Job.objects.select_related("project", "created_by")
    return membership, get_object_or_404(jobs, pk=job_id, project=membership.project)


def import_batch(request: UserRequest, slug: str, batch_id: int) -> tuple[Membership, ImportBatch]:
    membership = member(request, slug, Role.ADMIN)
    return membership, get_object_or_404(ImportBatch, pk=batch_id, project=membership.project)


def import_item(request: UserRequest, slug: str, item_id: int) -> tuple[Membership, ImportItem]:
    membership = member(request, slug, Role.ADMIN)
    item = get_object_or_404(
        ImportItem.objects.select_related("batch"), pk=item_id, batch__project=membership.project
    )
    return membership, item


def webhook(request: UserRequest, slug: str, webhook_id: int) -> tuple[Membership, Webhook]:
    membership = member(request, slug, Role.ADMIN)
    webhook = get_object_or_404(Webhook, pk=webhook_id, project=membership.project)
    webhook.project = membership.project
    return membership, webhook
