"""What each work page shows: its fields, and the content they start with."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from annotate.content import Content, dynamics_verdict, merge_rows
from annotate.guidelines import guideline_html, write_checklist
from annotate.kinds_of_work import fields, kind_of_work, register, why_nothing
from annotate.models import Assignment, Clip, WorkItem
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

Kind = WorkItem.Kind
Context = dict[str, Any]


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
        **kind_of_work(item.kind).context(assignment, typed),
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


def _merged_so_far(draft: Content) -> list[str]:
    return [row["text"] for rows in merge_rows(draft).values() for row in rows]


def _judged_so_far(draft: Content) -> list[str]:
    verdict = {True: "Dynamic.", False: "Not dynamic.", None: ""}[dynamics_verdict(draft)]
    return [verdict, draft.get("remark", "")]


def register_kinds() -> None:
    """The kinds of work of this app."""
    no_video = why_nothing(
        "A video comes here once it is cut into clips. None is ready now.",
        "Every video has been judged twice, or somebody is at it.",
        "You have judged, or skipped, every video that waits.",
    )
    no_clip = why_nothing(
        "A clip comes here when no model described it well enough. None is ready now.",
        "Every such clip is written, or somebody is at it.",
        "You have written, or skipped, every clip that waits.",
    )
    split = fields("spatial", "temporal")
    for kind, context, submit, texts, nothing in (
        (Kind.WRITE, _write, stages.submit_write_up, fields(*PARTS), nothing_to_write),
        (Kind.MERGE, merge_context, stages.submit_merge, _merged_so_far, nothing_to_merge),
        (Kind.SPLIT, split_context, stages.submit_split, split, nothing_to_split),
        (Kind.DYNAMICS, dynamics_context, stages.submit_dynamics_check, _judged_so_far, no_video),
        (Kind.HAND, hand_context, stages.submit_hand_writing, fields("text"), no_clip),
    ):
        register(
            kind,
            context=context,
            submit=submit,
            template=f"annotate/work_{kind}.html",
            texts=texts,
            nothing=nothing,
        )
