"""Captions to verify, and verifications of them, for tests."""

from __future__ import annotations

from uuid import uuid4

from annotate.models import Assignment, Caption, User, WorkItem
from annotate.queue.content import Content
from review.verification.content import sentences_key
from review.verification.queueing import open_verifications
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


def shown(caption: Caption, content: Content) -> Content:
    """The form's fields as the page of this caption sends them."""
    return {"sentences": sentences_key(caption.pk), **content}


def verify(held: Assignment, caption: Caption, content: Content, *, key=None) -> Assignment:
    return submit_verification(
        assignment_id=held.pk,
        annotator=held.annotator,
        key=key or uuid4(),
        base_version=0,
        content=shown(caption, content),
    )


def verified(person: User, clip, content: Content = MENDED, text: str = CAPTION) -> Caption:
    """A machine caption of the clip that the person has verified."""
    caption = machine_caption(clip, text)
    verify(hold_verification(person, caption), caption, content)
    return caption
