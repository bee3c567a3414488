"""Take work and give it up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When
from django.utils import timezone

from annotate.agreed import refuse_without_consent
from annotate.audit import record_event
from annotate.errors import AnnotateError, LeaseLost
from annotate.kinds import kind_facts
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
from annotate.queue.services.known_work import draw_gold, gold_left
from annotate.queue.services.leases import expire_leases

State = Assignment.State
AssignedWork = Project.AssignedWork


# attempts, because another tab of the same person can be faster
ATTEMPTS = 3
MAX_WAITING = 100  # counting further would read the whole queue
MAX_REASON_LENGTH = 500
# Changes of an item of which one place is taken. The further places of an item that was reserved
# for one person are for everybody.
ONE_PLACE_LESS = {
    "open_slots": F("open_slots") - 1,
    "reserved_for": Case(When(open_slots__gt=1, then=None), default=F("reserved_for")),
}


def claimable_by(user: User, project: Project, kind: str) -> QuerySet[WorkItem]:
    """Return the items that `user` could take now, in the order in which they are handed out."""
    items = free_items(user, project, kind)
    of_clip = _assigned_to(user, project, kind)
    if of_clip is None:
        return items
    if project.assigned_work == AssignedWork.ONLY:
        return items.filter(of_clip)
    return items.order_by(of_clip.desc(), "-priority", "id")


def free_items(user: User, project: Project | OuterRef, kind: str) -> QuerySet[WorkItem]:
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
    if not kind_facts(kind).keeps_examples:
        items = items.exclude(Exists(ShownExample.objects.filter(clip=OuterRef("clip"), kind=kind)))
    barred_by = kind_facts(kind).barred_by
    if barred_by:
        wrote = own.filter(item__clip=OuterRef("clip"), item__kind__in=barred_by)
        items = items.exclude(Exists(wrote))
    return items


def _assigned_to(user: User, project: Project, kind: str) -> Exists | None:
    """Return the condition that an item's clip is of the user's subcategories; None if their work
    doesn't depend on these."""
    if project.assigned_work == AssignedWork.OFF or not kind_facts(kind).is_clip_step:
        return None
    assigned = AssignedSubcategory.objects.filter(
        membership__user=user, membership__project=project
    )
    if not assigned.exists():
        return None
    of_video = assigned.filter(
        Q(subcategory="") | Q(subcategory=OuterRef("video__subcategory")),
        category=OuterRef("video__category"),
    )
    return Exists(Clip.objects.filter(Exists(of_video), pk=OuterRef("clip")))


def _in_turn(membership: Membership, kind: str) -> Iterator[QuerySet[WorkItem]]:
    """Yield the same items as `claimable_by`, those of the assigned subcategories apart: so the
    database finds the first of each by an index."""
    user, project = membership.user, membership.project
    items = free_items(user, project, kind)
    of_clip = _assigned_to(user, project, kind)
    if of_clip is not None:
        yield items.filter(of_clip)
    if of_clip is None or project.assigned_work != AssignedWork.ONLY:
        yield items


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

    active = Assignment.objects.filter(
        annotator=user,
        item__project=project,
        item__kind=kind,
        state__in=[State.HELD, State.RETURNED],
    )
    for assignment_id in active.order_by("-state", "pk").values_list("pk", flat=True):
        if _hold_again(assignment_id, now, lease_end):
            return Assignment.objects.select_related("item").get(pk=assignment_id)
    expire_leases(now=now)

    if hold := _take_gold(membership, kind, now, lease_end):
        return hold
    for _ in range(ATTEMPTS):
        item_id = _take_best_slot(membership, kind)
        if item_id is None:
            return None
        if hold := hold_item(item_id, user, now, lease_end):
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
    is_last = not any(items.exists() for items in _in_turn(membership, kind))
    if (is_last and not gold.reserved_for_id) or not _take_slot(gold):
        return None
    return hold_item(gold.pk, membership.user, now, lease_end)


def next_clip(membership: Membership, kind: str) -> tuple[Clip | None, int]:
    """Return the clip that the person would get next, without taking its work, and how many items
    they may have, up to MAX_WAITING."""
    gold = draw_gold(membership, kind)
    for items in _in_turn(membership, kind):
        if clips := items.values_list("clip", flat=True)[:MAX_WAITING]:
            clip = gold.clip if gold else Clip.objects.get(pk=clips[0])
            return clip, len(clips) + gold_left(membership, kind)
    if gold and gold.reserved_for_id:
        return gold.clip, gold_left(membership, kind)
    return None, 0


def _take_best_slot(membership: Membership, kind: str) -> int | None:
    """Take a place of the best item that the person may have; return its key, or None.

    PostgreSQL locks the item and passes over those that other claims are taking; SQLite has only
    one writer at a time.
    """
    for items in _in_turn(membership, kind):
        free = items.select_for_update(of=("self",), skip_locked=True).only("pk")
        if item := free.first():
            WorkItem.objects.filter(pk=item.pk).update(**ONE_PLACE_LESS)
            return item.pk
    return None


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
    if len(reason) > MAX_REASON_LENGTH:
        raise AnnotateError(
            f"The reason has {len(reason):,} characters. Shorten it to {MAX_REASON_LENGTH}."
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
    WorkItem.with_known_answers.filter(pk=assignment.item_id).update(open_slots=F("open_slots") + 1)
    record_event(
        actor=annotator,
        verb="skip",
        subject=assignment,
        project=assignment.item.project,
        after={"reason": assignment.skip_reason},
    )
    return assignment


def _hold_again(assignment_id: int, now: datetime, lease_end: datetime) -> bool:
    """Renew a lease that hasn't been released, or start one on work sent back to its author."""
    renewed = Assignment.objects.filter(
        pk=assignment_id, state__in=[State.HELD, State.RETURNED]
    ).update(state=State.HELD, lease_expires_at=lease_end, heartbeat_at=now)
    return bool(renewed)


def _is_example(item: WorkItem) -> bool:
    examples = ShownExample.objects.filter(clip=item.clip_id, kind=item.kind)
    return not kind_facts(item.kind).keeps_examples and examples.exists()


def _take_slot(item: WorkItem) -> bool:
    return bool(
        WorkItem.with_known_answers.filter(
            pk=item.pk, state=WorkItem.State.OPEN, open_slots__gt=0
        ).update(open_slots=F("open_slots") - 1)
    )


def hold_item(item_id: int, user: User, now: datetime, lease_end: datetime) -> Assignment | None:
    """Return the person's hold on the item whose slot was taken, with their earlier draft.

    If another of their tabs was faster, free the slot again and return None.
    """
    hold, is_new = Assignment.objects.get_or_create(
        item_id=item_id,
        annotator=user,
        defaults={"lease_expires_at": lease_end, "claimed_at": now, "heartbeat_at": now},
    )
    if is_new:
        return hold
    ended = Assignment.objects.filter(pk=hold.pk, state__in=[State.EXPIRED, State.SKIPPED])
    renewed = ended.update(
        state=State.HELD,
        lease_expires_at=lease_end,
        claimed_at=now,
        heartbeat_at=now,
        skip_reason="",
    )
    if not renewed:
        WorkItem.with_known_answers.filter(pk=item_id).update(open_slots=F("open_slots") + 1)
        return None
    hold.refresh_from_db()
    return hold
