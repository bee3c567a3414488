"""Access to modifications, their work and their runs."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from annotate.access import UserRequest, member
from annotate.models import Membership, Role, WorkItem
from review.access import admin, work_item
from review.modifications.models import Modification, ModificationRun


def modify_item(request: UserRequest, slug: str, item_id: int) -> tuple[Membership, WorkItem]:
    membership, item = work_item(request, slug, item_id)
    if item.kind != "modify":
        raise Http404("This work is not a modification.")
    return membership, item


def modification(
    request: UserRequest, slug: str, modification_id: int
) -> tuple[Membership, Modification]:
    """Return a modification for a person who may change it."""
    membership = member(request, slug, Role.ADMIN, Role.EXPERT)
    texts = Modification.objects.select_related("pair", "source", "target")
    return membership, get_object_or_404(
        texts, pk=modification_id, pair__project=membership.project
    )


def modification_run(
    request: UserRequest, slug: str, run_id: int
) -> tuple[Membership, ModificationRun]:
    membership = admin(request, slug)
    return membership, get_object_or_404(ModificationRun, pk=run_id, project=membership.project)
