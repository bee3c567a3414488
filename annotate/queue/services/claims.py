"""Take work and give it up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, cast

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from annotate.access import BARRED_BY
from annotate.agreed import refuse_without_consent
from annotate.audit import record_event
from annotate.errors import AnnotateError, LeaseLost
from annotate.models import (
    AssignedSubcategory,
    Assignment,
    Clip,
    Membership,
    Project,
    ShownExample,
    User,
    WorkItem,
)
from annotate.queue.services import statements
from annotate.queue.services.known_work import draw_gold, gold_left
from annotate.queue.services.leases import EXPIRE_AT_ONCE, expire_leases
from annotate.queue.services.statements import BY_SUBCATEGORY, HANDED_OUT_AS_EXAMPLES
from annotate.sql import Row, Statement, models_of

State = Assignment.State
Kind = WorkItem.Kind
AssignedWork = Project.AssignedWork


# attempts, because another tab of the same person can be faster
ATTEMPTS = 3
LONGEST_REASON = 500


def claimable_by(user: User, project: Project, kind: str) -> QuerySet[Any]:
    """Return the items that `user` could take now, in the order of `statements.take_best_slot`."""
    return _by_subcategory(free_items(user, project, kind), user, project, kind)


def free_items(user: User, project: Project | OuterRef, kind: str) -> QuerySet[Any]:
    """Return the free items of all subcategories; `project` can be that of an outer query."""
    own = Assignment.objects.filter(annotator=user)
    here = own.filter(item=OuterRef("pk"))
    items = (
        WorkItem.objects.filter(
            project=project, kind=kind, state=WorkItem.State.OPEN, open_slots__gt=0
        )
        .filter(Q(reserved_for=None) | Q(reserved_for=user))
        .exclude(Exists(here.exclude(state=State.EXPIRED)))
        .order_by("-priority", "id")
    )
    if kind not in HANDED_OUT_AS_EXAMPLES:
        items = items.exclude(Exists(ShownExample.objects.filter(clip=OuterRef("clip"), kind=kind)))
    barred_by = BARRED_BY.get(Kind(kind))
    if barred_by:
        wrote = own.filter(item__clip=OuterRef("clip"), item__kind__in=barred_by)
        items = items.exclude(Exists(wrote))
    return items


def _by_subcategory(items: QuerySet[Any], user: User, project: Project, kind: str) -> QuerySet[Any]:
    """Put the work of the user's subcategories first, or leave out other work."""
    if project.assigned_work == AssignedWork.OFF or kind not in BY_SUBCATEGORY:
        return items
    assigned = AssignedSubcategory.objects.filter(
        membership__user=user, membership__project=project
    )
    if not assigned.exists():
        return items
    of_clip = assigned.filter(
        Q(subcategory="") | Q(subcategory=OuterRef("clip__video__subcategory")),
        category=OuterRef("clip__video__category"),
    )
    if project.assigned_work == AssignedWork.ONLY:
        return items.filter(Exists(of_clip))
    return items.order_by(Exists(of_clip).desc(), "-priority", "id")


@transaction.atomic
def claim_next(*, membership: Membership, kind: str) -> Assignment | None:
    """Return the work that was sent back to the person or that they hold, or else assign the best
    free item.

    Returns None if nothing waits for them. Raises ConsentMissing if they have to agree to the
    project's text first.
    """
    user, project, now = membership.user, membership.project, timezone.now()
    refuse_without_consent(user, project)
    lease_end = now + timedelta(minutes=project.lease_minutes)

    own, overdue = _own_and_overdue(user, project, kind, now)
    for assignment_id in own:
        if _hold_again(assignment_id, now, lease_end):
            return Assignment.objects.select_related("item").get(pk=assignment_id)
    if overdue:
        expire_leases(now=now)

    if hold := _take_gold(membership, kind, now, lease_end):
        return hold
    for _ in range(ATTEMPTS):
        taken = _best_row(membership, kind, statements.take_best_slot)
        if taken is None:
            return None
        if hold := hold_item(taken[0], user, now, lease_end):
            return hold
    return None


@transaction.atomic
def take_known(*, membership: Membership, item: WorkItem) -> Assignment | None:
    """Have the person hold a training or gold item; None if they hold or have finished it."""
    now = timezone.now()
    lease_end = now + timedelta(minutes=membership.project.lease_minutes)
    if not _take_slot(item):
        return None
    return hold_item(item.pk, membership.user, now, lease_end)


def _take_gold(
    membership: Membership, kind: str, now: datetime, lease_end: datetime
) -> Assignment | None:
    """Take the gold item that is due, if any; never the last item, which would give it away."""
    gold = draw_gold(membership, kind)
    if gold is None:
        return None
    is_last = _best_row(membership, kind, statements.next_clip) is None
    if (is_last and not gold.reserved_for_id) or not _take_slot(gold):
        return None
    return hold_item(gold.pk, membership.user, now, lease_end)


def next_clip(membership: Membership, kind: str) -> tuple[Clip | None, int]:
    """Return the clip that the person would get next, without taking its work, and how many items
    they may have, up to MOST_WAITING."""
    row, gold = _best_row(membership, kind, statements.next_clip), draw_gold(membership, kind)
    if row is not None:
        clip = gold.clip if gold else models_of(row, statements.NEXT_CLIP)[0]
        return clip, row[-1] + gold_left(membership, kind)
    if gold and gold.reserved_for_id:
        return gold.clip, gold_left(membership, kind)
    return None, 0


def _best_row(membership: Membership, kind: str, statement: Callable[..., Statement]) -> Row | None:
    """Return the row of the best item: from the assigned subcategories first, or only from them."""
    person = {"person": membership.user_id, "project": membership.project_id}
    rule = membership.project.assigned_work
    if rule != AssignedWork.OFF and kind in BY_SUBCATEGORY and membership.assigned.exists():
        own = statement(kind, only_assigned=True)
        row = own.row(**person, membership=membership.pk)
        if row is not None or rule == AssignedWork.ONLY:
            return row
    return statement(kind).row(**person)


@transaction.atomic
def take_again(*, assignment_id: int, annotator: User) -> Assignment:
    """Take the person's own skipped or expired work again, with its draft, if a place is free.
    Training and pauses are the caller's to ask about (`resume_work`).

    Raises ConsentMissing as `claim_next` does, and AnnotateError.
    """
    assignment = Assignment.objects.select_related("item__project", "item__clip").get(
        pk=assignment_id, annotator=annotator
    )
    refuse_without_consent(annotator, assignment.item.project)
    now = timezone.now()
    lease_end = now + timedelta(minutes=assignment.item.project.lease_minutes)
    if _hold_again(assignment_id, now, lease_end):
        assignment.state, assignment.lease_expires_at = State.HELD, lease_end
        return assignment
    if assignment.state not in {State.EXPIRED, State.SKIPPED}:
        raise AnnotateError("This work can't be taken again.")
    if assignment.item.state == WorkItem.State.CANCELLED:
        raise LeaseLost("This work is no longer needed. Your text is kept here to read or copy.")
    if assignment.item.state == WorkItem.State.WAITING:
        raise LeaseLost("This work waits for now. Your text is kept here to read or copy.")
    if _is_example(assignment.item):
        raise LeaseLost(
            "This clip is an example in the guideline now. Your text is kept here to read or copy."
        )
    if not _take_slot(assignment.item):
        raise LeaseLost(
            "Somebody else has taken this clip meanwhile. Your text is kept here to read or copy."
        )
    return hold_item(assignment.item_id, annotator, now, lease_end) or assignment


@transaction.atomic
def skip(*, assignment_id: int, annotator: User, reason: str) -> Assignment:
    """Give the work back to the queue with a reason; the draft stays its author's."""
    reason = reason.strip()
    if not reason:
        raise AnnotateError("Say why you skip this clip, so that an admin can fix it.")
    if len(reason) > LONGEST_REASON:
        raise AnnotateError(
            f"The reason has {len(reason):,} characters. Shorten it to {LONGEST_REASON}."
        )
    assignment = (
        Assignment.objects.select_related("item")
        .select_for_update(of=("self", "item"))
        .get(pk=assignment_id, annotator=annotator)
    )
    if assignment.state != State.HELD:
        raise LeaseLost("You no longer hold this clip, so there is nothing to skip.")
    if assignment.returned_by_id:
        raise AnnotateError(
            "This text was sent back to you and only you can continue it. "
            "If you can't, tell an admin."
        )
    assignment.state = State.SKIPPED
    assignment.skip_reason = reason
    assignment.save(update_fields=["state", "skip_reason"])
    WorkItem.of_any_purpose.filter(pk=assignment.item_id).update(open_slots=F("open_slots") + 1)
    record_event(
        actor=annotator,
        verb="skip",
        subject=assignment,
        project=assignment.item.project,
        after={"reason": assignment.skip_reason},
    )
    return assignment


def _own_and_overdue(
    user: User, project: Project, kind: str, now: datetime
) -> tuple[list[int], bool]:
    """Return the person's active work of this kind, sent back first, and whether leases are due."""
    rows = statements.OWN_AND_OVERDUE.rows(
        person=user.pk, project=project.pk, kind=kind, now=now, at_once=EXPIRE_AT_ONCE
    )
    return [pk for pk, is_own, _ in rows if is_own], any(is_due for _, _, is_due in rows)


def _hold_again(assignment_id: int, now: datetime, lease_end: datetime) -> bool:
    """Renew a lease that hasn't been released, or start one on work sent back to its author."""
    renewed = Assignment.objects.filter(
        pk=assignment_id, state__in=[State.HELD, State.RETURNED]
    ).update(state=State.HELD, lease_expires_at=lease_end, heartbeat_at=now)
    return bool(renewed)


def _is_example(item: WorkItem) -> bool:
    examples = ShownExample.objects.filter(clip=item.clip_id, kind=item.kind)
    return item.kind not in HANDED_OUT_AS_EXAMPLES and examples.exists()


def _take_slot(item: WorkItem) -> bool:
    return bool(
        WorkItem.of_any_purpose.filter(
            pk=item.pk, state=WorkItem.State.OPEN, open_slots__gt=0
        ).update(open_slots=F("open_slots") - 1)
    )


def hold_item(item_id: int, user: User, now: datetime, lease_end: datetime) -> Assignment | None:
    """Return the person's hold on the item whose slot was taken, with their earlier draft.

    If another of their tabs was faster, free the slot again and return None.
    """
    held = statements.HOLD.row(item=item_id, person=user.pk, now=now, lease_end=lease_end)
    if held is None:
        WorkItem.of_any_purpose.filter(pk=item_id).update(open_slots=F("open_slots") + 1)
        return None
    [assignment] = models_of(held, statements.HELD)
    assignment.annotator = user
    return cast(Assignment, assignment)
