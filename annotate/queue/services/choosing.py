"""Take an item that the person chose from a list, where the project lets people choose."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotate.agreed import refuse_without_consent
from annotate.errors import AnnotateError, LeaseLost
from annotate.kinds import kind_facts
from annotate.models import Assignment, Membership, WorkItem
from annotate.queue.services.claims import ONE_PLACE_LESS, claimable_by, hold_item
from annotate.queue.services.leases import expire_leases

State = Assignment.State
NOT_ALLOWED = "This project hands out the work of this kind in its own order."
TAKEN = "Somebody else has taken this clip meanwhile. Choose another."


def can_choose(membership: Membership, kind: str) -> bool:
    """Return whether the person may choose their next item of this kind."""
    return membership.project.can_choose_work and kind_facts(kind).can_be_chosen


def held_now(membership: Membership, kind: str) -> Assignment | None:
    """Return the person's held or returned work of this kind, which comes before new work."""
    own = Assignment.objects.filter(
        annotator=membership.user,
        item__project=membership.project,
        item__kind=kind,
        state__in=[State.HELD, State.RETURNED],
    )
    return own.select_related("item__clip").order_by("-state", "pk").first()


@transaction.atomic
def claim_chosen(*, membership: Membership, kind: str, item_id: int) -> Assignment:
    """Assign the item to the person, if it is free for them. Training and pauses are the caller's
    to ask about (`work_closed`).

    Raises ConsentMissing; AnnotateError if the project doesn't let them choose or they hold an
    item of the kind already; LeaseLost if it is no longer free.
    """
    user, project, now = membership.user, membership.project, timezone.now()
    refuse_without_consent(user, project)
    if not can_choose(membership, kind):
        raise AnnotateError(NOT_ALLOWED)
    if held := held_now(membership, kind):
        name = held.item.clip.short_name
        raise AnnotateError(f"You have {name} already. Submit or skip it, then choose the next.")
    expire_leases(now=now)
    free = claimable_by(user, project, kind).filter(pk=item_id).order_by().values("pk")
    taken = WorkItem.objects.filter(pk__in=free, open_slots__gt=0).update(**ONE_PLACE_LESS)
    lease_end = now + timedelta(minutes=project.lease_minutes)
    hold = hold_item(item_id, user, now, lease_end) if taken else None
    if hold is None:
        raise LeaseLost(TAKEN)
    return hold
