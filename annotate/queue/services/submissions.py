"""Finish work: a repeated submit has no further effect, and a late one changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import F, Model
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import DraftConflict, LeaseLost
from annotate.models import Assignment, Notice, Project, User, WorkItem
from annotate.notices.services import mark_subject_read
from annotate.queue.content import Content
from annotate.queue.services import statements
from annotate.sql import models_of

State = Assignment.State
# Judgments of captions. A program that doesn't count gives its place back to people.
BESIDE_PEOPLE = {WorkItem.Kind.VERIFY, WorkItem.Kind.RATE}


def lock_for_submit(
    *,
    assignment_id: int,
    annotator: User,
    key: UUID,
    base_version: int,
    takes_late: bool = False,
) -> tuple[Assignment, bool]:
    """Lock and return the assignment with its item, and whether this submit was done before.

    With `takes_late`, work that was withdrawn (the hold is expired, the item canceled) may still be
    submitted. Raises LeaseLost if the hold has ended, and DraftConflict if a later draft is stored.
    Call inside a transaction.
    """
    row = statements.LOCK_FOR_SUBMIT.row(assignment=assignment_id, person=annotator.pk)
    if row is None:
        raise Assignment.DoesNotExist
    assignment, item, item.project = models_of(
        row[1:], statements.LOCKED, statements.LOCKED_ITEM, statements.ITS_PROJECT
    )
    assignment.item = item
    assignment.is_counted = item.project.counts_programs or not row[0]
    assignment.annotator = annotator
    if assignment.state == State.SUBMITTED:
        if assignment.submit_key == key:
            return assignment, True
        raise LeaseLost("This work is already submitted. Nothing was changed.")
    is_withdrawn = item.state == WorkItem.State.CANCELLED and assignment.state == State.EXPIRED
    if not assignment.holds_lease and not (takes_late and is_withdrawn):
        raise LeaseLost(
            "Your hold on this clip has ended, so it can't be submitted and nothing was changed. "
            "Your text is kept: take the clip again, then submit."
        )
    if assignment.draft_version != base_version:
        # Read its text under the lock, so that it belongs to this version.
        assignment.refresh_from_db(fields=["draft", "draft_saved_at"])
        raise DraftConflict(assignment)
    return assignment, False


def complete(
    assignment: Assignment, *, key: UUID, content: dict[str, Any], is_late: bool = False
) -> bool:
    """Mark the locked assignment as submitted; return whether its item needs no further one.

    `is_late`: its object has been replaced, so it is kept as a record.
    """
    now = timezone.now()
    if assignment.state == State.EXPIRED:  # Its place was freed when the work was withdrawn.
        WorkItem.of_any_purpose.filter(pk=assignment.item_id).update(open_slots=F("open_slots") - 1)
    if is_late:
        assignment.is_late = True
        Assignment.objects.filter(pk=assignment.pk).update(is_late=True)
    assignment.state = State.SUBMITTED
    assignment.submit_key = key
    assignment.submitted_at = now
    assignment.draft = content
    assignment.draft_version += 1
    assignment.draft_saved_at = now
    if assignment.returned_by_id is not None:
        mark_subject_read(
            person=assignment.annotator, kind=Notice.Kind.RETURNED, subject=assignment
        )
    if not assignment.is_counted and assignment.item.kind in BESIDE_PEOPLE:
        WorkItem.of_any_purpose.filter(pk=assignment.item_id).update(open_slots=F("open_slots") + 1)
    statements.SUBMIT.change(assignment=assignment.pk, key=key, content=content, now=now)
    return bool(statements.FINISH_ITEM.change(item=assignment.item_id))


@dataclass(frozen=True)
class Submission:
    """The `content` of the page's form that a person submits for the locked `assignment`."""

    assignment: Assignment
    content: Content
    key: UUID

    @property
    def item(self) -> WorkItem:
        return self.assignment.item

    @property
    def project(self) -> Project:
        return self.assignment.item.project

    @property
    def person(self) -> User:
        return self.assignment.annotator

    @property
    def is_expired(self) -> bool:
        """Return whether the work was withdrawn; only submits that take late work see this."""
        return self.assignment.state == Assignment.State.EXPIRED

    def complete(self, content: Content | None = None, *, is_late: bool = False) -> bool:
        """Mark the work as submitted, with other content than was sent if the kind stores other.

        Return whether its item needs no further submit.
        """
        stored = self.content if content is None else content
        return complete(self.assignment, key=self.key, content=stored, is_late=is_late)

    def record(
        self,
        *,
        verb: str = "submit",
        subject: Model | None = None,
        before: dict[str, Any] | None = None,
        after: dict[str, Any] | None = None,
    ) -> None:
        """Write the audit event; its default subject is the assignment."""
        record_event(
            actor=self.person,
            verb=verb,
            subject=subject or self.assignment,
            project=self.project,
            before=before,
            after=after,
        )
