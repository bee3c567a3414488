"""Finish work: a repeated submit has no further effect, and a late one changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, Model, OuterRef
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import DraftConflict, LeaseLost
from annotate.kinds import kind_facts
from annotate.models import Assignment, Membership, Notice, Project, User, WorkItem
from annotate.notices.services import mark_subject_read
from annotate.queue.content import Content

State = Assignment.State


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
    own = Assignment.objects.select_related("item__project").filter(annotator=annotator)
    assignment = own.select_for_update(of=("self", "item")).get(pk=assignment_id)
    item, project = assignment.item, assignment.item.project
    programs = Membership.with_deactivated.filter(project=project, user=annotator).exclude(
        program=""
    )
    assignment.is_counted = project.counts_programs or not programs.exists()
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
        raise DraftConflict(assignment)
    return assignment, False


def complete(
    assignment: Assignment, *, key: UUID, content: dict[str, Any], is_late: bool = False
) -> bool:
    """Mark the locked assignment as submitted; return whether its item needs no further one.

    `is_late`: its object has been replaced, so it is kept as a record.
    """
    items = WorkItem.with_known_answers.filter(pk=assignment.item_id)
    if assignment.state == State.EXPIRED:  # Its place was freed when the work was withdrawn.
        items.update(open_slots=F("open_slots") - 1)
    assignment.is_late = assignment.is_late or is_late
    assignment.state = State.SUBMITTED
    assignment.submit_key = key
    assignment.submitted_at = assignment.draft_saved_at = timezone.now()
    assignment.draft = content
    assignment.draft_version += 1
    assignment.save(
        update_fields=[
            *("is_late", "state", "submit_key", "submitted_at"),
            *("draft", "draft_version", "draft_saved_at"),
        ]
    )
    if assignment.returned_by_id is not None:
        mark_subject_read(
            person=assignment.annotator, kind=Notice.Kind.RETURNED, subject=assignment
        )
    if not assignment.is_counted and kind_facts(assignment.item.kind).leaves_place_to_people:
        items.update(open_slots=F("open_slots") + 1)
    in_progress = Assignment.objects.filter(
        item=OuterRef("pk"), state__in=[State.HELD, State.RETURNED, State.PAUSED]
    )
    return bool(items.filter(~Exists(in_progress), open_slots=0).update(state=WorkItem.State.DONE))


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
