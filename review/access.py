"""The only way a view of this app gets an object. The rules are those of annotate.access."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from annotate.access import member
from annotate.models import Membership, Role, WorkItem
from review.exports import FORMATS
from review.models import Release

__all__ = ["admin", "judge", "member", "release", "release_format", "work_item"]


def judge(request: HttpRequest, slug: str) -> Membership:
    """Somebody who may see how others work."""
    return member(request, slug, Role.ADMIN, Role.EXPERT, Role.REVIEWER)


def admin(request: HttpRequest, slug: str) -> Membership:
    return member(request, slug, Role.ADMIN)


def release(request: HttpRequest, slug: str, version: str) -> tuple[Membership, Release]:
    membership = member(request, slug)
    found = get_object_or_404(Release, project=membership.project, version=version)
    found.project = membership.project
    return membership, found


def release_format(
    request: HttpRequest, slug: str, version: str, format_name: str
) -> tuple[Membership, Release]:
    membership, found = release(request, slug, version)
    if format_name not in FORMATS:
        raise Http404("No such format.")
    return membership, found


def work_item(request: HttpRequest, slug: str, item_id: int) -> tuple[Membership, WorkItem]:
    membership = admin(request, slug)
    return membership, get_object_or_404(WorkItem, pk=item_id, project=membership.project)
