"""Clips with two real write-ups, waiting to be merged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

from annotate.merge import services as merging
from annotate.models import Assignment, Caption, Clip, User, WorkItem
from annotate.queue import services as queue
from annotate.queue.content import Content, merge_content
from annotate.text.merging import Rows, WriteUpText, propose_rows
from annotate.text.parts import PARTS
from annotate.write import services as writing
from tests.work import hold, make_work, submit_write_up

FIXTURES = Path(__file__).parent.parent / "fixtures" / "captions"


def write_ups_of(name: str) -> list[dict[str, str]]:
    """The true write-ups of a demo clip, 250 to 290 words each."""
    write_ups = json.loads((FIXTURES / f"{name}.json").read_text())["write_ups"]
    return [{part: text[part] for part in PARTS} for text in write_ups]


def shorten(write_up: dict[str, str]) -> dict[str, str]:
    """Return the first sentences of each part: few rows, yet as many words as the rules ask for."""
    sentences = {"overview": 1, "objects": 4, "actions": 3, "misc": 2}
    return {
        part: ". ".join(text.removesuffix(".").split(". ")[: sentences[part]]) + "."
        for part, text in write_up.items()
    }


BIKES_A, BIKES_B = write_ups_of("bikes")
SHORT_A, SHORT_B = shorten(BIKES_A), shorten(BIKES_B)


def open_merge(clip: Clip, *written: tuple[User, dict[str, str]]) -> WorkItem:
    """Submit a write-up of the clip by each person; return the merge, which is then open."""
    item = make_work(clip, needed=len(written))
    for person, parts in written:
        submit_write_up(person, item, **parts)
    return WorkItem.objects.get(clip=clip, kind="merge")


def hold_merge(clip: Clip, expert: User, anna: User, ben: User) -> Assignment:
    return hold(expert, open_merge(clip, (anna, BIKES_A), (ben, BIKES_B)))


def all_of(side: str, a: dict[str, str] = BIKES_A, b: dict[str, str] = BIKES_B) -> Rows:
    """The first rows with every sentence of one side taken."""
    rows = propose_rows(WriteUpText(a), WriteUpText(b))
    for part_rows in rows.values():
        for row in part_rows:
            row["text"] = row[f"{side}_text"]
    return rows


def all_of_short(side: str) -> Rows:
    return all_of(side, SHORT_A, SHORT_B)


def submit_merge(assignment: Assignment, content: Content, **changes: Any) -> Assignment:
    return merging.submit_merge(
        **{
            "assignment_id": assignment.pk,
            "annotator": assignment.annotator,
            "key": uuid4(),
            "base_version": assignment.draft_version,
            "content": content,
            **changes,
        }
    )


def save(assignment: Assignment, rows: Rows) -> None:
    assignment.refresh_from_db()
    queue.save_draft(
        assignment=assignment,
        base_version=assignment.draft_version,
        content=merge_content(rows),
    )
    assignment.refresh_from_db()


def write_up_of(person: User, clip: Clip) -> Caption:
    return Caption.objects.filter(author=person, clip=clip).latest("pk")


def rewrite(person: User, clip: Clip, **parts: str) -> Caption:
    """Submit a write-up that was sent back, with these parts changed, as its author."""
    assignment = queue.claim_next(
        membership=person.memberships.select_related("project", "user").get(project=clip.project),
        kind="write",
    )
    assert assignment is not None
    assert assignment.returned_by_id
    writing.submit_write_up(
        assignment_id=assignment.pk,
        annotator=person,
        key=uuid4(),
        base_version=assignment.draft_version,
        content={**assignment.draft, **parts},
    )
    return write_up_of(person, clip)


def resume_merge(assignment: Assignment) -> Assignment:
    """Resume the merge as its expert, to whom it came back."""
    item = assignment.item
    membership = assignment.annotator.memberships.select_related("project", "user").get(
        project=item.project_id
    )
    again = queue.claim_next(membership=membership, kind="merge")
    assert again == assignment
    assignment.refresh_from_db()
    return assignment
