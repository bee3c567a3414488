"""Dynamics checks and clips to be written by hand, for tests."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from annotate.corpus.services.opening import open_dynamics_check, open_hand_writing
from annotate.dynamics.services import submit_dynamics_check
from annotate.handwrite.services import submit_hand_writing
from annotate.models import Assignment, Caption, Clip, User, Video, WorkItem
from annotate.queue.content import Content
from annotate.text.words import count_words
from tests.work import hold

DYNAMIC, STATIC = {"verdict": "dynamic"}, {"verdict": "static"}


def machine_caption(clip: Clip, text: str) -> Caption:
    return Caption.objects.create(
        project_id=clip.project_id,
        clip=clip,
        kind=Caption.Kind.GENERAL,
        source=Caption.Source.MACHINE,
        text=text,
        word_count=count_words(text),
    )


def attempt(caption: Caption | None, score: float | None = 0.1, **fields: Any) -> dict[str, Any]:
    """One attempt as a refinement hands it on."""
    return {
        "model": "Qwen2.5-VL-72B",
        "caption": caption.pk if caption else None,
        "text": caption.text if caption else "",
        "score": score,
        "reason": "",
        **fields,
    }


def open_hand(clip: Clip, *attempts: dict[str, Any]) -> WorkItem:
    context = {"threshold": 0.2, "scorer": "EVQAScore v3, CLIP", "attempts": list(attempts)}
    return open_hand_writing(clip=clip, context=context)


def hold_check(person: User, video: Video) -> Assignment:
    return hold(person, open_dynamics_check(video))


def judge(assignment: Assignment, content: Content, **options: Any) -> Assignment:
    return _submit(submit_dynamics_check, assignment, content, **options)


def write_by_hand(assignment: Assignment, text: str, times: str = "", **options: Any) -> Assignment:
    content = {"text": text, "spans-text": times}
    return _submit(submit_hand_writing, assignment, content, **options)


def _submit(service, assignment: Assignment, content: Content, *, key=None) -> Assignment:
    return service(
        assignment_id=assignment.pk,
        annotator=assignment.annotator,
        key=key or uuid4(),
        base_version=0,
        content=content,
    )
