"""A caption written by hand, where no model's attempt reached the threshold (LoVR, 3.2.2)."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from annotate.content import Content
from annotate.errors import WorkInvalid
from annotate.models import Assignment, Caption, CaptionRank, User, WorkItem
from annotate.services.audit import record_event
from annotate.services.captions import record_captions
from annotate.services.queue import complete, lock_for_submit
from annotate.text.parts import Problem
from annotate.text.words import count_words


@transaction.atomic
def submit_hand_writing(
    *, assignment_id: int, annotator: User, key: UUID, base_version: int, content: Content
) -> Assignment:
    """Store the text as a caption that descends from the models' attempts. Where the work has been
    withdrawn meanwhile, it is kept as a record that never becomes current.

    Raises WorkInvalid when it has no words, LeaseLost, or DraftConflict.
    """
    assignment, done_before = lock_for_submit(
        assignment_id=assignment_id,
        annotator=annotator,
        key=key,
        base_version=base_version,
        takes_late=True,
    )
    if done_before:
        return assignment
    text = content.get("text", "").strip()
    if not count_words(text):
        raise WorkInvalid([Problem("text", "The caption has no words; write what the clip shows.")])
    is_late = assignment.state == Assignment.State.EXPIRED
    record_captions(
        assignment,
        Caption.Source.HUMAN,
        [{"kind": Caption.Kind.GENERAL, "text": text}],
        parents=_attempts(assignment.item),
        because=CaptionRank.Because.LATE if is_late else "",
    )
    complete(assignment, key=key, content=content, is_late=is_late)
    record_event(
        actor=annotator,
        verb="submit",
        subject=assignment,
        project=assignment.item.project,
        after={"is_late": True} if is_late else {},
    )
    return assignment


def _attempts(item: WorkItem) -> list[Caption]:
    """The captions that the writer was shown, those of another clip left out."""
    named = [attempt.get("caption") for attempt in item.context.get("attempts", [])]
    keys = [key for key in named if isinstance(key, int)]
    return list(Caption.objects.filter(pk__in=keys, clip=item.clip_id).order_by("pk"))
