"""Finishing work: the same submit twice is one submit, and a late one changes nothing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotate.errors import DraftConflict, LeaseLost
from annotate.models import Assignment, User, WorkItem

State = Assignment.State
UNFINISHED = [State.HELD, State.RETURNED, State.PAUSED]


def lock_for_submit(
    *, assignment_id: int, annotator: User, key: UUID, base_version: int
) -> tuple[Assignment, bool]:
    """Lock the assignment with its item; the flag says that this very submit was done before.

    Raises LeaseLost when the hold has ended and DraftConflict when a later draft is stored.
    Call inside a transaction.
    """
    assignment = (
        Assignment.objects.select_related("item__clip", "item__project")
        .select_for_update(of=("self", "item"))
        .get(pk=assignment_id, annotator=annotator)
    )
    assignment.annotator = annotator
    if assignment.state == State.SUBMITTED:
        if assignment.submit_key == key:
            return assignment, True
        raise LeaseLost("This work is already submitted. Nothing was changed.")
    if not assignment.holds_lease:
        raise LeaseLost(
            "Your hold on this clip has ended, so it can't be submitted and nothing was changed. "
            "Your text is kept: take the clip again, then submit."
        )
    if assignment.draft_version != base_version:
        raise DraftConflict(assignment)
    return assignment, False


def complete(assignment: Assignment, *, key: UUID, content: dict[str, Any]) -> bool:
    """Mark the locked assignment submitted; True when that was the last its item needed."""
    now = timezone.now()
    assignment.state = State.SUBMITTED
    assignment.submit_key = key
    assignment.submitted_at = now
    assignment.draft = content
    assignment.draft_version += 1
    assignment.draft_saved_at = now
    assignment.save(
        update_fields=[
            "state",
            "submit_key",
            "submitted_at",
            "draft",
            "draft_version",
            "draft_saved_at",
        ]
    )
    others = Assignment.objects.filter(item=OuterRef("pk"), state__in=UNFINISHED)
    done = (
        WorkItem.objects.filter(pk=assignment.item_id, open_slots=0)
        .exclude(Exists(others))
        .update(state=WorkItem.State.DONE)
    )
    return bool(done)
