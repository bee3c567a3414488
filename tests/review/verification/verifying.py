"""Captions to verify, and verifications of them, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import uuid4

from django.db.models import Case, F, Value, When
from django.utils import timezone

from annotate.models import Assignment, Caption, User, WorkItem
from annotate.queue.content import Content
from review.reports.agreement_due import agreement_changed
from review.verification.content import read_judgment, sentences_key
from review.verification.judgment import Judgment
from review.verification.queueing import open_verifications
from review.verification.recording import Judged, record_verifications, sentences_of
from review.verification.services import submit_verification
from tests.hand_work import machine_caption
from tests.work import hold

CAPTION = "A man opens a door. He wears a red cap. It is a door.\n\nA dog barks."
ALL_OK = {"verdict-0": "ok", "verdict-1": "ok", "verdict-2": "ok", "verdict-3": "ok", "theme": "ok"}
MENDED = ALL_OK | {
    "verdict-1": "A#C",
    "correction-1": "His cap is orange.",
    "verdict-2": "B",
    "delete-2": "1",
    "missing-1-text": "He climbs a rope.",
    "missing-1-start": "25",
    "missing-1-end": "125",
}
MENDED_TEXT = "A man opens a door. He climbs a rope. His cap is orange.\n\nA dog barks."


def open_verification(caption: Caption, people: int = 1, priority: float = 0) -> WorkItem:
    opened = open_verifications(
        project=caption.project, priorities={caption.pk: priority}, people=people
    )
    return WorkItem.objects.get(pk=opened[caption.pk])


def hold_verification(person: User, caption: Caption, people: int = 1) -> Assignment:
    return hold(person, open_verification(caption, people))


def form_data(caption: Caption, content: Content) -> Content:
    """Return the fields of the form as the page of this caption sends them."""
    return {"sentences": sentences_key(caption.pk), **content}


def verify(held: Assignment, caption: Caption, content: Content, *, key=None) -> Assignment:
    return submit_verification(
        assignment_id=held.pk,
        annotator=held.annotator,
        key=key or uuid4(),
        base_version=0,
        content=form_data(caption, content),
    )


def verify_all(person: User, judged: Sequence[tuple[WorkItem, Caption, Content]]) -> None:
    """Store that `person` took each item and submitted this content for its caption, in as many
    statements for many captions as for one."""
    now = timezone.now()
    items = [item for item, _, _ in judged]
    held = Assignment.objects.bulk_create(
        Assignment(
            item=item,
            annotator=person,
            state=Assignment.State.SUBMITTED,
            lease_expires_at=now + timedelta(minutes=30),
            submit_key=uuid4(),
            submitted_at=now,
            draft=form_data(caption, content),
            draft_version=1,
            draft_saved_at=now,
        )
        for item, caption, content in judged
    )
    record_verifications(
        [
            Judged(caption, _judgment_of(caption, content), person, assignment)
            for (_, caption, content), assignment in zip(judged, held, strict=True)
        ]
    )
    WorkItem.objects.filter(pk__in=[item.pk for item in items]).update(
        open_slots=F("open_slots") - 1,
        state=Case(When(open_slots=1, then=Value(WorkItem.State.DONE)), default=F("state")),
    )
    for project in {caption.project_id for _, caption, _ in judged}:
        agreement_changed(project)


def _judgment_of(caption: Caption, content: Content) -> Judgment:
    judgment, unreadable = read_judgment(content, len(sentences_of(caption.text)))
    assert unreadable == []
    return judgment


def verified(person: User, clip, content: Content = MENDED, text: str = CAPTION) -> Caption:
    """A machine caption of the clip that the person has verified."""
    caption = machine_caption(clip, text)
    verify(hold_verification(person, caption), caption, content)
    return caption
