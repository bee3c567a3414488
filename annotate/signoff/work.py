"""Work: sign off the final texts of a clip (CaReBench, ethical statement)."""

from __future__ import annotations

from typing import Any

from annotate.errors import AnnotateError
from annotate.keys.lists import AT_ONCE, Key
from annotate.models import Assignment, Role, SignOff
from annotate.queue.content import Content
from annotate.queue.fields import DraftField
from annotate.queue.work_kinds import Context, WorkKind
from annotate.signoff.queries import texts_to_sign
from annotate.signoff.services import MAX_COMMENT_LENGTH, NO_TEXTS, submit_sign_off
from annotate.text.parts import PARTS

CHOICES = (
    ("agree", "S", "Sign off", "All three texts are right and complete."),
    ("merge", "R", "Send back the merged text", "For the expert who merged; the split follows."),
    ("split", "P", "Send back the split", "For the person who split the text."),
)


def sign_off_context(assignment: Assignment, content: Content) -> Context:
    """Return the three texts, but neither their authors nor other experts' verdicts."""
    texts = texts_to_sign(assignment)
    if texts is None:
        return {"no_texts": NO_TEXTS}
    general = texts.general
    paragraphs = [general.parts[part] for part in PARTS if general.parts.get(part, "").strip()]
    return {
        "texts": texts,
        "paragraphs": paragraphs or [general.text],
        "choices": CHOICES,
        "verdict": content.get("verdict", ""),
        "comment": content.get("comment", ""),
        "longest_comment": MAX_COMMENT_LENGTH,
        "taken_back_text": "A text of this clip was sent back or replaced, so these texts no "
        "longer need a sign-off.",
    }


class SignOffTexts(WorkKind):
    kind = "signoff"
    label = "Sign-off"
    activity = "signing off"
    roles = (Role.EXPERT,)
    submitted = "Verdict saved"
    can_be_chosen = True
    title = "Sign-off of {}"
    step_title = "Sign off"
    counted_as = "Signed off"
    barred_by = ("write", "merge", "split")
    is_clip_step = True
    template = "annotate/signoff/work.html"
    next_label = "Sign off next"
    keys_heading = "The verdict"
    keys = (
        Key("agree", "Sign off", ("KeyS",)),
        Key("merge", "Send back the merged text", ("KeyR",)),
        Key("split", "Send back the split", ("KeyP",)),
        AT_ONCE,
    )
    submit = staticmethod(submit_sign_off)
    fields = (
        DraftField("verdict", "Agreed, or what is sent back.", SignOff.Verdict.values),
        DraftField("comment", "What should change."),
    )
    example_headings = ("Verdict", "Comment")
    none_yet = "Clips appear here once they are split."
    none_free = "No split clip waits for another expert to check it now."
    none_for_you = (
        "You have checked or skipped every clip that waits, or worked on its texts yourself."
    )

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return sign_off_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        texts = texts_to_sign(assignment)
        if texts is None:
            raise AnnotateError(NO_TEXTS)
        kinds = ("general", "spatial", "temporal")
        return {kind: getattr(texts, kind).text for kind in kinds}

    def example_parts(self, assignment: Assignment) -> list[str]:
        return self.texts(assignment.draft)

    def texts(self, draft: Content) -> list[str]:
        verdict = draft.get("verdict", "")
        label = SignOff.Verdict(verdict).label if verdict in SignOff.Verdict.values else ""
        return [f"{label}." if label else "", draft.get("comment", "")]
