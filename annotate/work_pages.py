"""What each work page shows: its fields, and the content they start with."""

from __future__ import annotations

from uuid import uuid4

from annotate.content import Content, dynamics_verdict, merge_rows
from annotate.guidelines import guideline_html, write_checklist
from annotate.models import Assignment, Clip, Membership, WorkItem
from annotate.pages.dynamics import dynamics_context
from annotate.pages.hand import hand_context
from annotate.pages.merge import merge_context
from annotate.pages.split import split_context
from annotate.queries import machine_draft
from annotate.services import stages
from annotate.services.queue import claimable_by
from annotate.text.parts import PARTS, Problem, join_parts
from annotate.text.words import count_words
from annotate.why_nothing import nothing_to_merge, nothing_to_split, nothing_to_write
from annotate.work_kinds import Context, Totals, WorkKind, work_kind

Kind = WorkItem.Kind


def work_context(
    assignment: Assignment,
    *,
    content: Content | None = None,
    base_version: int | None = None,
    problems: list[Problem] | None = None,
    notice: str = "",
) -> Context:
    """Everything a work page needs. `content` is what was typed, if not the stored draft."""
    item = assignment.item
    typed = content if content is not None else assignment.draft
    return {
        "assignment": assignment,
        "item": item,
        "clip": item.clip,
        "project": item.project,
        "kind": item.kind,
        "is_editable": assignment.holds_lease,
        "is_submitted": assignment.state == Assignment.State.SUBMITTED,
        "submit_key": uuid4(),
        "base_version": assignment.draft_version if base_version is None else base_version,
        "problems": problems or [],
        "problem_by_field": {problem.field: problem.message for problem in problems or []},
        "notice": notice,
        "guideline": guideline_html(item.project, item.kind),
        "upcoming": _upcoming(assignment),
        **work_kind(item.kind).context(assignment, typed),
    }


def _upcoming(assignment: Assignment) -> Clip | None:
    """The clip that would most likely come next, so that the browser can load it already."""
    item = (
        claimable_by(assignment.annotator, assignment.item.project, assignment.item.kind)
        .select_related("clip__video")
        .first()
    )
    return item.clip if item else None


def _write(assignment: Assignment, content: Content) -> Context:
    fields = {part: content.get(part, "") for part in PARTS}
    offered = assignment.item.project.show_machine_draft
    return {
        "fields": fields,
        "machine_draft": machine_draft(assignment.item.clip) if offered else None,
        "opened_draft": content.get("machine_draft", ""),
        "word_count": count_words(join_parts(fields)),
        "checklist": [
            {**entry, "name": f"check-{number}", "is_ticked": bool(content.get(f"check-{number}"))}
            for number, entry in enumerate(write_checklist())
        ],
    }


class WriteUp(WorkKind):
    kind = Kind.WRITE
    template = "annotate/work_write.html"
    submit = staticmethod(stages.submit_write_up)
    text_fields = PARTS

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return _write(assignment, draft)

    def nothing(self, membership: Membership, totals: Totals) -> str:
        return nothing_to_write(membership, totals)


class Merge(WorkKind):
    kind = Kind.MERGE
    template = "annotate/work_merge.html"
    submit = staticmethod(stages.submit_merge)

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return merge_context(assignment, draft)

    def texts(self, draft: Content) -> list[str]:
        return [row["text"] for rows in merge_rows(draft).values() for row in rows]

    def nothing(self, membership: Membership, totals: Totals) -> str:
        return nothing_to_merge(totals)


class Split(WorkKind):
    kind = Kind.SPLIT
    template = "annotate/work_split.html"
    submit = staticmethod(stages.submit_split)
    text_fields = ("spatial", "temporal")

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return split_context(assignment, draft)

    def nothing(self, membership: Membership, totals: Totals) -> str:
        return nothing_to_split(totals)


class Dynamics(WorkKind):
    kind = Kind.DYNAMICS
    template = "annotate/work_dynamics.html"
    submit = staticmethod(stages.submit_dynamics_check)
    none_yet = "Videos appear here once they are cut into clips. None is ready now."
    none_free = "Other people have judged every video, or are judging it now."
    none_for_you = "You have judged or skipped every video that waits."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return dynamics_context(assignment, draft)

    def texts(self, draft: Content) -> list[str]:
        verdict = {True: "Dynamic.", False: "Not dynamic.", None: ""}[dynamics_verdict(draft)]
        return [verdict, draft.get("remark", "")]


class HandWriting(WorkKind):
    kind = Kind.HAND
    template = "annotate/work_hand.html"
    submit = staticmethod(stages.submit_hand_writing)
    text_fields = ("text",)
    none_yet = "Clips appear here when no model described them well enough. None is ready now."
    none_free = "Other people have written every such clip, or are writing it now."
    none_for_you = "You have written or skipped every clip that waits."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return hand_context(assignment, draft)


WORK_KINDS = (WriteUp(), Merge(), Split(), Dynamics(), HandWriting())
