"""Access to CapST runs."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin, reviewer
from review.capst.models import CapstItem, CapstRun


def capst_run(request: UserRequest, slug: str, run_id: int) -> tuple[Membership, CapstRun]:
    return _capst_run(reviewer(request, slug), run_id)


def administered_capst_run(
    request: UserRequest, slug: str, run_id: int
) -> tuple[Membership, CapstRun]:
    """Return a run for a person who may stop it."""
    return _capst_run(admin(request, slug), run_id)


def _capst_run(membership: Membership, run_id: int) -> tuple[Membership, CapstRun]:
    runs = CapstRun.objects.select_related("caption_set__run", "extractor", "judge", "created_by")
    run = get_object_or_404(runs, pk=run_id, project=membership.project)
    run.project = membership.project
    return membership, run


def capst_item(
    request: UserRequest, slug: str, run_id: int, item_id: int
) -> tuple[Membership, CapstRun, CapstItem]:
    membership, run = capst_run(request, slug, run_id)
    items = run.items.select_related("clip__video")
    return membership, run, get_object_or_404(items, pk=item_id)
