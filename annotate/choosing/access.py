"""Access to the work that people choose."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from annotate import access
from annotate.access import UserRequest
from annotate.kinds import kind_facts, kinds_with
from annotate.models import Membership, WorkItem


def chooser(request: UserRequest, slug: str, kind: str) -> Membership:
    """Return the membership of a person who may do this kind of work, if people can choose it."""
    if kind not in kinds_with("can_be_chosen"):
        raise Http404("Nobody chooses this kind of work.")
    return access.member(request, slug, *kind_facts(kind).roles)


def chosen_item(
    request: UserRequest, slug: str, kind: str, item_id: int
) -> tuple[Membership, WorkItem]:
    """Return the item of the project, which may be taken already. Raises Http404."""
    membership = chooser(request, slug, kind)
    items = WorkItem.objects.filter(project=membership.project, kind=kind)
    return membership, get_object_or_404(items, pk=item_id)
