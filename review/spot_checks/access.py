"""Access to spot checks: admins draw them and see results, those who review judge."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin, reviewer
from review.spot_checks.models import SpotCheck, SpotCheckItem
from review.spot_checks.queries import items_for


def spot_check(request: UserRequest, slug: str, check_id: int) -> tuple[Membership, SpotCheck]:
    """Return a check for its results."""
    membership = admin(request, slug)
    return membership, get_object_or_404(SpotCheck, pk=check_id, project=membership.project)


def check_to_judge(request: UserRequest, slug: str, check_id: int) -> tuple[Membership, SpotCheck]:
    membership = reviewer(request, slug)
    return membership, get_object_or_404(SpotCheck, pk=check_id, project=membership.project)


def item_to_judge(
    request: UserRequest, slug: str, spot_item_id: int
) -> tuple[Membership, SpotCheckItem]:
    """Return an item that the person may judge; 404 for work on clips that they worked on."""
    membership = reviewer(request, slug)
    items = SpotCheckItem.objects.select_related(
        "check_of__project", "assignment__item__clip__video"
    )
    item = get_object_or_404(items, pk=spot_item_id, check_of__project=membership.project)
    get_object_or_404(items_for(item.check_of, request.user), pk=item.pk)
    return membership, item
