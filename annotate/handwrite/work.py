"""Work: write by hand the caption of a clip that no model described (LoVR, appendix B.1)."""

from __future__ import annotations

from typing import Any

from annotate.handwrite.pages import hand_context, shown_attempts
from annotate.handwrite.services import submit_hand_writing
from annotate.keys.lists import STAMPING
from annotate.models import Assignment, Role
from annotate.queue.content import Content
from annotate.queue.fields import TIMES, DraftField
from annotate.queue.work_kinds import Context, WorkKind


class HandWriting(WorkKind):
    kind = "hand"
    label = "Write by hand"
    activity = "writing by hand"
    roles = (Role.ANNOTATOR, Role.EXPERT)
    submitted = "Caption submitted"
    can_be_chosen = True
    title = "Write {} by hand"
    counted_as = "Written by hand"
    waits_while_left_out = True
    template = "annotate/handwrite/work.html"
    keys_heading = "A sentence"
    keys = STAMPING
    submit = staticmethod(submit_hand_writing)
    fields = (
        DraftField("text", "The caption."),
        DraftField("spans-text", TIMES),
        DraftField("before", "Texts that were replaced, as a JSON list."),
    )
    text_fields = ("text",)
    example_headings = ("Caption",)
    none_yet = "Clips appear here when no model described them well enough."
    none_free = "No clip waits for another person to write it now."
    none_for_you = "You have written or skipped every clip that waits."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return hand_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        return {
            "threshold": assignment.item.context.get("threshold"),
            "attempts": shown_attempts(assignment),
        }
