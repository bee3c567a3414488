"""Splits for tests: merged texts, holds on a split of them, neighbors that are split already."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import uuid4

from annotate.models import Assignment, Caption, Clip, User
from annotate.split import services as splitting
from annotate.text.parts import PARTS, join_parts
from annotate.text.words import count_words
from tests.work import hold, make_work

CAPTIONS = Path(__file__).parents[1] / "fixtures" / "captions"

MERGED = {
    "overview": "This video shows a man slicing a watermelon in a kitchen.",
    "objects": "The man wears a grey shirt. A green melon lies on a wooden board.",
    "actions": "He turns the melon twice. Then he cuts it in half and lifts one half.",
    "misc": "The camera stays still. The mood is calm.",
}


def texts_of(name: str) -> dict:
    """`merged` and `split` of a clip of the demo."""
    return json.loads((CAPTIONS / f"{name}.json").read_text(encoding="utf-8"))


def make_merged(clip: Clip, author: User, **parts: str) -> Caption:
    """The merged text of the clip; what is not given is that of MERGED."""
    parts = {part: parts.get(part, MERGED[part]) for part in PARTS}
    text = join_parts(parts)
    return Caption.objects.create(
        project=clip.project,
        clip=clip,
        kind=Caption.Kind.GENERAL,
        source=Caption.Source.MERGED,
        text=text,
        parts=parts,
        word_count=count_words(text),
        author=author,
    )


def hold_split(clip: Clip, person: User, **parts: str) -> Assignment:
    """`person` holds the split of a clip with a merged text."""
    make_merged(clip, person, **parts)
    return hold(person, make_work(clip, "split", needed=1))


def submit_split(assignment: Assignment, **content: str) -> Assignment:
    assignment.refresh_from_db()
    return splitting.submit_split(
        assignment_id=assignment.pk,
        annotator=assignment.annotator,
        key=uuid4(),
        base_version=assignment.draft_version,
        content=content,
    )
