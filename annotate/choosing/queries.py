"""The clips that wait for one person, to choose from."""

from __future__ import annotations

from django.db.models import QuerySet

from annotate.models import Membership, WorkItem
from annotate.queue.services.choosing import can_choose
from annotate.queue.services.claims import claimable_by


def items_to_choose(
    membership: Membership, kind: str, *, subcategory: str = "", order: tuple[str, ...] = ()
) -> QuerySet[WorkItem]:
    """Return the items that the person could take now, in the order of the queue or in `order`;
    none where the project doesn't let people choose."""
    if not can_choose(membership, kind):
        return WorkItem.objects.none()
    items = claimable_by(membership.user, membership.project, kind)
    if subcategory:
        items = items.filter(clip__video__subcategory=subcategory)
    if order:
        items = items.order_by(*order)
    return items.select_related("clip__video").defer("clip__video__probe", "clip__video__shots")


def subcategories_to_choose(membership: Membership, kind: str) -> list[str]:
    """Return the subcategories of these items, in alphabetical order."""
    items = items_to_choose(membership, kind).order_by()
    names = items.values_list("clip__video__subcategory", flat=True)
    return sorted(set(names.distinct()))
