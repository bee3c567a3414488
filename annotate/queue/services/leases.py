"""Ending leases: overdue ones, and all of a person's. The work returns to the queue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotate.models import Assignment, Project, User, WorkItem

# One claim ends at most this many overdue leases, so that it never waits for those of a whole
# night.
EXPIRY_BATCH_SIZE = 100
State = Assignment.State


@transaction.atomic
def expire_leases(*, now: datetime | None = None) -> int:
    """Return overdue work to the queue, and return how many leases ended. Drafts stay.

    Returned work goes back to its author, because only they can continue it.
    """
    now = now or timezone.now()
    overdue = Assignment.objects.filter(state=State.HELD, lease_expires_at__lte=now).order_by("pk")
    free = overdue.select_for_update(skip_locked=True)
    rows = list(free.values_list("pk", "item_id", "returned_by_id")[:EXPIRY_BATCH_SIZE])
    _release(rows)
    return len(rows)


@transaction.atomic
def release_holds(*, user: User, project: Project) -> int:
    """End all of the person's leases, and return their number. Drafts stay."""
    holds = Assignment.objects.filter(
        annotator=user, item__project=project, state=State.HELD
    ).order_by("pk")
    rows = list(
        holds.select_for_update(of=("self",)).values_list("pk", "item_id", "returned_by_id")
    )
    _release(rows)
    return len(rows)


def _release(rows: Sequence[tuple[int, int, int | None]]) -> None:
    """End these locked leases: (assignment, item, the person who returned it)."""
    if not rows:
        return
    returned = [pk for pk, _, returned_by in rows if returned_by]
    expired = [pk for pk, _, returned_by in rows if not returned_by]
    if returned:
        Assignment.objects.filter(pk__in=returned).update(state=State.RETURNED)
    if expired:
        Assignment.objects.filter(pk__in=expired).update(state=State.EXPIRED)
    freed = Counter(item for _, item, returned_by in rows if not returned_by)
    list(
        WorkItem.with_known_answers.filter(pk__in=freed)
        .order_by("pk")
        .select_for_update()
        .values("pk")
    )
    for count in set(freed.values()):
        items = [item for item, times in freed.items() if times == count]
        WorkItem.with_known_answers.filter(pk__in=items).update(open_slots=F("open_slots") + count)
