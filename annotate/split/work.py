"""Work: split a merged text into what can be seen and what happens (CaReBench, section 3.2)."""

from __future__ import annotations

from typing import Any

from annotate.errors import AnnotateError
from annotate.keys.lists import Key
from annotate.merge.queries import merged_caption
from annotate.models import Assignment, Membership, Role
from annotate.queue.content import TARGETS, Content
from annotate.queue.fields import DraftField, key_of
from annotate.queue.why_nothing import nothing_to_split
from annotate.queue.work_kinds import SKIP_REASONS, Context, Totals, WorkKind
from annotate.split.pages import split_context
from annotate.split.services import merged_sentences, submit_split
from annotate.text.split_kept import KINDS_OF, keep_name


class Split(WorkKind):
    kind = "split"
    label = "Split"
    activity = "splitting"
    roles = (Role.ANNOTATOR, Role.EXPERT)
    submitted = "Split submitted"
    can_be_chosen = True
    is_clip_step = True
    makes_texts = True
    template = "annotate/split/work.html"
    keys_heading = "A sentence"
    keys = (
        Key("spatial", "To spatial", ("KeyS",), ("Alt+KeyS",)),
        Key("temporal", "To temporal", ("KeyT",), ("Alt+KeyT",)),
        Key("both", "To both", ("KeyO",), ("Alt+KeyO",)),
        Key("neither", "To neither", ("KeyR",), ("Alt+KeyR",)),
        Key("up", "Sentence above", ("ArrowUp",), ("Alt+ArrowUp",)),
        Key("down", "Sentence below", ("ArrowDown",), ("Alt+ArrowDown",)),
        Key("undecided", "Next undecided sentence", ("KeyN",)),
    )
    submit = staticmethod(submit_split)
    fields = (
        DraftField("sentence-<n>", "A sentence of the merged text."),
        DraftField("target-<n>", "Where its content goes.", TARGETS),
        *(DraftField(field, f"The {field} caption.") for field in KINDS_OF),
        key_of("merged", "The merged caption, as in the task."),
        *(
            DraftField(keep_name(field, kind), "Dismissed warnings, one a line.")
            for field, kinds in KINDS_OF.items()
            for kind in kinds
        ),
    )
    skip_reasons = (*SKIP_REASONS, "Wrong category")
    text_fields = ("spatial", "temporal")
    example_headings = ("Spatial: what is seen", "Temporal: what happens")

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return split_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        merged = merged_caption(assignment.item.clip)
        if merged is None:
            raise AnnotateError("The merged text no longer exists. Skip this work.")
        return {
            "merged": str(merged.pk),
            "sentences": [text for _, text in merged_sentences(merged)],
        }

    def example_parts(self, assignment: Assignment) -> list[str]:
        return [assignment.draft.get(field, "") for field in self.text_fields]

    def nothing(self, membership: Membership, totals: Totals) -> str:
        return nothing_to_split(totals)
