"""Withdraw work whose object has been replaced. Drafts stay with their authors."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from django.db.models import F

from annotate.audit import record_event
from annotate.models import Assignment, WorkItem
from annotate.queue.work_kinds import work_kind


def withdraw_work_about(items: Sequence[WorkItem]) -> int:
    """Withdraw this work, except work that is still needed, and end its leases; return the number
    of withdrawn items. Call inside a transaction.

    Items that nobody has taken are deleted; the others are canceled, so that their authors keep
    their drafts and can still submit them late.
    """
    by_kind: dict[str, list[WorkItem]] = defaultdict(list)
    for item in items:
        by_kind[item.kind].append(item)
    keys = {item.pk for item in items}
    for kind, of_kind in by_kind.items():
        keys -= work_kind(kind).outlives(of_kind)
    if not keys:
        return 0
    # Assignments before items, as everywhere in the queue.
    holds = Assignment.objects.filter(item__in=keys, state=Assignment.State.HELD)
    list(holds.order_by("pk").select_for_update(of=("self",)).values_list("pk"))
    still_open = WorkItem.objects.filter(pk__in=keys, state=WorkItem.State.OPEN).order_by("pk")
    locked = list(still_open.select_for_update(of=("self",)).select_related("project"))
    keys = {item.pk for item in locked}
    freed = Counter(holds.filter(item__in=keys).values_list("item", flat=True))
    holds.filter(item__in=keys).update(state=Assignment.State.EXPIRED)
    for item in locked:
        if freed[item.pk]:
            WorkItem.objects.filter(pk=item.pk).update(open_slots=F("open_slots") + freed[item.pk])
    taken = set(Assignment.objects.filter(item__in=keys).values_list("item", flat=True).distinct())
    WorkItem.objects.filter(pk__in=taken).update(state=WorkItem.State.CANCELLED)
    WorkItem.objects.filter(pk__in=keys - taken).delete()
    for item in locked:
        if item.pk in taken:
            record_event(
                actor=None,
                verb="withdraw",
                subject=item,
                project=item.project,
                after={"kind": item.kind, "subject": item.subject, "holds": freed[item.pk]},
            )
    return len(keys)
