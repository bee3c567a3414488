"""Work: write a clip up in four parts (CaReBench, section 3.2)."""

from __future__ import annotations

from typing import Any

from annotate.guidelines import write_checklist
from annotate.keys.lists import STAMPING
from annotate.models import Assignment, Membership, Role
from annotate.queue.content import Content, spans_of_fields
from annotate.queue.fields import TIMES, DraftField, key_of
from annotate.queue.why_nothing import nothing_to_write
from annotate.queue.work_kinds import SKIP_REASONS, Context, Totals, WorkKind
from annotate.text.parts import PART_HEADINGS, PARTS, join_parts
from annotate.text.words import count_words
from annotate.write.queries import machine_draft
from annotate.write.services import submit_write_up


def _write(assignment: Assignment, content: Content) -> Context:
    fields = {part: content.get(part, "") for part in PARTS}
    offered = assignment.item.project.show_machine_draft
    return {
        "fields": fields,
        "spans": spans_of_fields(content, PARTS),
        "machine_draft": machine_draft(assignment.item.clip) if offered else None,
        "opened_draft": content.get("machine_draft", ""),
        "word_count": count_words(join_parts(fields)),
        "checklist": [
            {**entry, "name": f"check-{number}", "is_ticked": bool(content.get(f"check-{number}"))}
            for number, entry in enumerate(write_checklist())
        ],
    }


class WriteUp(WorkKind):
    kind = "write"
    label = "Write"
    activity = "writing"
    roles = (Role.ANNOTATOR,)
    submitted = "Write-up submitted"
    noun_of_text = "write-up"
    can_be_chosen = True
    is_clip_step = True
    makes_texts = True
    template = "annotate/write/work.html"
    keys_heading = "A sentence"
    keys = STAMPING
    submit = staticmethod(submit_write_up)
    fields = (
        *(DraftField(part, "This part of the text.") for part in PARTS),
        *(DraftField(f"spans-{part}", TIMES) for part in PARTS),
        DraftField("check-<n>", "Any text ticks this key point."),
        key_of("machine_draft", "The machine's caption, if the writer has opened it."),
    )
    skip_reasons = (*SKIP_REASONS, "Wrong category")
    text_fields = PARTS
    example_headings = PART_HEADINGS

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return _write(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        project = assignment.item.project
        return {"min_words": project.min_words, "max_words": project.max_words}

    def example_parts(self, assignment: Assignment) -> list[str]:
        return [assignment.draft.get(part, "") for part in PARTS]

    def nothing(self, membership: Membership, totals: Totals) -> str:
        return nothing_to_write(totals)
