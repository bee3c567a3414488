"""Access to the work that people choose."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from annotate import access
from annotate.access import ROLES_FOR_KIND, UserRequest
from annotate.models import Membership, WorkItem
from annotate.queue.services.choosing import CHOSEN_BY_PEOPLE


def chooser(request: UserRequest, slug: str, kind: str) -> Membership:
    """Return the membership of a person who may do this kind of work, if people can choose it."""
    if kind not in CHOSEN_BY_PEOPLE:
        raise Http404("Nobody chooses this kind of work.")
    return access.member(request, slug, *ROLES_FOR_KIND[WorkItem.Kind(kind)])


def chosen_item(
    request: UserRequest, slug: str, kind: str, item_id: int
) -> tuple[Membership, WorkItem]:
    """Return the item of the project, which may be taken already. Raises Http404."""
    membership = chooser(request, slug, kind)
    items = WorkItem.objects.filter(project=membership.project, kind=kind)
    return membership, get_object_or_404(items, pk=item_id)
