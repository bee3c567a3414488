"""Send work back to its author, and pause dependent work until it is submitted again."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.kinds import kind_facts
from annotate.models import Assignment, Notice, User, WorkItem
from annotate.notices.services import notify
from annotate.queue.queries import members_for

State = Assignment.State


def send_back(assignment: Assignment, *, by: User, comment: str) -> None:
    """Send submitted work back to its author with a comment. Their text becomes their draft again.

    Only its author may continue it. Call inside a transaction, on a locked assignment.
    """
    if not comment.strip():
        raise AnnotateError("Write what should change: the author goes by your comment.")
    if assignment.state != State.SUBMITTED:
        raise AnnotateError("This text has already been sent back.")
    if assignment.item.clip.left_out_because:
        raise AnnotateError("This clip is left out of the benchmark, so no work on it is open.")
    assignment.state = State.RETURNED
    assignment.sent_back_at = timezone.now()
    assignment.return_comment = comment.strip()
    assignment.returned_by = by
    assignment.save(update_fields=["state", "sent_back_at", "return_comment", "returned_by"])
    WorkItem.objects.filter(pk=assignment.item_id).update(state=WorkItem.State.OPEN)
    record_event(
        actor=by,
        verb="send back",
        subject=assignment,
        project=assignment.item.project,
        after={"comment": assignment.return_comment},
    )
    _tell(assignment, f"Your {_name_of(assignment.item)} was sent back to you.")


def pause_item(item: WorkItem) -> None:
    """Keep everybody from taking or submitting the item until `resume_item`; its draft stays."""
    WorkItem.objects.filter(pk=item.pk).update(state=WorkItem.State.WAITING)
    Assignment.objects.filter(
        item=item, state__in=[State.HELD, State.RETURNED, State.SUBMITTED]
    ).update(state=State.PAUSED)


def resume_item(item: WorkItem, *, by: User, comment: str) -> None:
    """Offer a paused item again, first to the person with a draft on it, with `comment`."""
    WorkItem.objects.filter(pk=item.pk, state=WorkItem.State.WAITING).update(
        state=WorkItem.State.OPEN
    )
    paused = Assignment.objects.filter(item=item, state=State.PAUSED)
    holds = list(paused.select_related("annotator", "item__project", "item__clip"))
    paused.update(state=State.RETURNED, return_comment=comment, returned_by=by)
    for hold in holds:
        hold.return_comment = comment
        _tell(hold, f"You can continue your {_name_of(item)}.")


@transaction.atomic
def offer_again(*, item_id: int, admin: User) -> WorkItem:
    """Offer work again that nobody in the project can take.

    A text that was returned to a person who has left goes to somebody else, and a clip that
    everybody skipped is offered to them again. Drafts stay with their authors. Raises AnnotateError
    if the work is not stuck.
    """
    holds = list(Assignment.objects.select_for_update().filter(item_id=item_id).order_by("pk"))
    item = WorkItem.objects.select_for_update().select_related("project").get(pk=item_id)
    able = set(members_for(item.project, item.kind).values_list("user_id", flat=True))
    stranded = [
        hold for hold in holds if hold.state == State.RETURNED and hold.annotator_id not in able
    ]
    skipped = [hold for hold in holds if hold.state == State.SKIPPED and hold.annotator_id in able]
    if stranded:
        give_to_others(item, stranded)
    elif skipped and item.open_slots and not able - _barred(item, holds):
        Assignment.objects.filter(pk__in=[hold.pk for hold in skipped]).update(state=State.EXPIRED)
    else:
        raise AnnotateError("Somebody can already take or finish this work. Nothing was changed.")
    record_event(
        actor=admin,
        verb="offer again",
        subject=item,
        project=item.project,
        before={"sent_back_to": [hold.annotator_id for hold in stranded]}
        if stranded
        else {"skipped_by": {hold.annotator_id: hold.skip_reason for hold in skipped}},
    )
    item.refresh_from_db()
    return item


def give_to_others(item: WorkItem, stranded: list[Assignment]) -> None:
    """Free the places of people who can't continue returned work, and withdraw the work that waits
    for their text.

    That work opens with the new text, like the first time; its drafts stay with their authors.
    """
    Assignment.objects.filter(pk__in=[hold.pk for hold in stranded]).update(
        state=State.SKIPPED, skip_reason="Given to somebody else."
    )
    WorkItem.objects.filter(pk=item.pk).update(open_slots=F("open_slots") + len(stranded))
    for later in WorkItem.objects.filter(clip=item.clip_id, state=WorkItem.State.WAITING):
        freed = Assignment.objects.filter(item=later, state=State.PAUSED).update(
            state=State.EXPIRED
        )
        WorkItem.objects.filter(pk=later.pk).update(open_slots=F("open_slots") + freed)


def _tell(hold: Assignment, text: str) -> None:
    notify(
        people=[hold.annotator],
        project=hold.item.project,
        kind=Notice.Kind.RETURNED,
        subject=hold,
        text=text,
        detail=hold.return_comment,
        address=reverse("annotate:work", args=[hold.pk]),
    )


def _name_of(item: WorkItem) -> str:
    """Return "write-up of Clip 12": the short name doesn't reveal the clip's content."""
    facts = kind_facts(item.kind)
    noun = facts.noun_of_text or facts.label.lower()
    return f"{noun} of {item.clip.short_name}"


def _barred(item: WorkItem, holds: list[Assignment]) -> set[int]:
    """Return the people who can't get the item: they had it, or worked on the step before."""
    barred = {hold.annotator_id for hold in holds if hold.state != State.EXPIRED}
    earlier = Assignment.objects.filter(
        item__clip=item.clip_id, item__kind__in=kind_facts(item.kind).barred_by
    )
    return barred | set(earlier.values_list("annotator_id", flat=True))
