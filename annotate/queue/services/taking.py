"""Take work, unless something keeps new work from the person."""

from __future__ import annotations

from dataclasses import replace

from annotate.agreed import refuse_without_consent
from annotate.models import Assignment, Membership, User, WorkItem
from annotate.queue.services.choosing import claim_chosen
from annotate.queue.services.claims import claim_next, take_again
from annotate.queue.work_kinds import Closed, WorkClosed, work_closed, work_kind


def take_work(*, membership: Membership, kind: str) -> Assignment | None:
    """Have the person hold the next work of the kind; None if nothing is left for them.

    Raises ConsentMissing, or WorkClosed, before anything is changed.
    """
    _refuse_closed(membership, kind)
    work_kind(kind).prepare(membership)
    return claim_next(membership=membership, kind=kind)


def take_chosen(*, membership: Membership, kind: str, item_id: int) -> Assignment:
    """Have the person hold the item that they chose.

    Raises ConsentMissing, or WorkClosed, and what `claim_chosen` raises.
    """
    _refuse_closed(membership, kind)
    return claim_chosen(membership=membership, kind=kind, item_id=item_id)


def resume_work(*, assignment_id: int, person: User) -> Assignment:
    """Give the person their own expired, skipped or returned work again, with its draft.

    They can't resume it while they can't take new work, except training and work that they still
    hold. Raises ConsentMissing, WorkClosed, and what `take_again` raises.
    """
    own = Assignment.objects.filter(annotator=person).defer("draft", "watched")
    assignment = own.select_related("item").get(pk=assignment_id)
    item = assignment.item
    if not assignment.holds_lease and item.purpose != WorkItem.Purpose.TRAINING:
        members = Membership.objects.select_related("project", "user")
        try:
            _refuse_closed(members.get(project=item.project_id, user=person), item.kind)
        except WorkClosed as error:
            reason = f"{error.closed.reason} Your text is kept here to read or copy."
            raise WorkClosed(replace(error.closed, reason=reason)) from error
    return take_again(assignment_id=assignment_id, annotator=person)


def _refuse_closed(membership: Membership, kind: str) -> None:
    if membership.project.archived_at:
        raise WorkClosed(Closed("This project is archived, so no new work is handed out."))
    refuse_without_consent(membership.user, membership.project)
    if closed := work_closed(membership, kind):
        raise WorkClosed(closed)
