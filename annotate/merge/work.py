"""Work: merge the write-ups of a clip into one text (CaReBench, section 3.2)."""

from __future__ import annotations

from typing import Any

from annotate.keys.lists import Key
from annotate.merge.pages import merge_context, merge_task
from annotate.merge.services import submit_merge
from annotate.models import Assignment, Membership, Role
from annotate.queue.content import Content, merge_rows
from annotate.queue.fields import DraftField, key_of
from annotate.queue.why_nothing import nothing_to_merge
from annotate.queue.work_kinds import SKIP_REASONS, Context, Totals, WorkKind
from annotate.text.parts import PART_HEADINGS, PARTS

# Of each row: its text, the places of its two sentences in their write-ups, and these sentences.
ROW_FIELDS = tuple(
    field
    for part in PARTS
    for field in (
        DraftField(f"{part}-<n>-text", "The text of the row."),
        *(key_of(f"{part}-<n>-{side}", "The place of its sentence, if any.") for side in "ab"),
        *(DraftField(f"{part}-<n>-{side}_text", "Its sentence.") for side in "ab"),
        DraftField(f"{part}-<n>-before", "Texts that were replaced, as a JSON list."),
    )
)


class Merge(WorkKind):
    kind = "merge"
    label = "Merge"
    activity = "merging"
    roles = (Role.EXPERT,)
    submitted = "Merged text submitted"
    can_be_chosen = True
    barred_by = ("write",)
    is_clip_step = True
    makes_texts = True
    template = "annotate/merge/work.html"
    keys_heading = "A row"
    keys = (
        Key("a", "Take A", ("Digit1",), ("Alt+Digit1",)),
        Key("b", "Take B", ("Digit2",), ("Alt+Digit2",)),
        Key("both", "Take both", ("Digit3",), ("Alt+Digit3",)),
        Key("edit", "Edit the row", ("KeyE",)),
        Key("up", "Row above", ("ArrowUp",), ("Alt+ArrowUp",)),
        Key("down", "Row below", ("ArrowDown",), ("Alt+ArrowDown",)),
        Key("next-empty", "Next empty row", ("KeyN",)),
        Key("looked", "Tick the row’s conflicts", ("KeyC",)),
        Key("move-up", "Move the row up", (), ("Alt+Shift+ArrowUp",), fixed=True),
        Key("move-down", "Move the row down", (), ("Alt+Shift+ArrowDown",), fixed=True),
    )
    submit = staticmethod(submit_merge)
    fields = (
        *ROW_FIELDS,
        DraftField("looked-<digest>", "Any text says that this conflict was looked at."),
    )
    skip_reasons = (*SKIP_REASONS, "Wrong category")
    example_headings = PART_HEADINGS

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return merge_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        return merge_task(assignment)

    def texts(self, draft: Content) -> list[str]:
        return [row["text"] for rows in merge_rows(draft).values() for row in rows]

    def example_parts(self, assignment: Assignment) -> list[str]:
        rows = merge_rows(assignment.draft)
        return [" ".join(row["text"] for row in rows[part] if row["text"]) for part in PARTS]

    def nothing(self, membership: Membership, totals: Totals) -> str:
        return nothing_to_merge(totals)
