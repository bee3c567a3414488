"""The common context of work pages: the assignment, its content, its problems and the next clip."""

from __future__ import annotations

from copy import copy
from uuid import uuid4

from annotate.guidelines import guideline_text, markdown_html
from annotate.guidelines.changes import ShownGuideline, shown_guideline
from annotate.guidelines.seen import seen_guideline
from annotate.guidelines.versions import shown_examples
from annotate.models import Assignment, Clip
from annotate.questions.pages import thread_context
from annotate.queue.content import Content
from annotate.queue.services import next_clip
from annotate.queue.services.claims import MAX_WAITING
from annotate.queue.services.watching import watching_of
from annotate.queue.work_kinds import Context, WorkKind, work_kind
from annotate.text.parts import Problem


def work_context(
    assignment: Assignment,
    *,
    content: Content | None = None,
    base_version: int | None = None,
    problems: list[Problem] | None = None,
    notice: str = "",
) -> Context:
    """Return the context of a work page for an assignment from `access.own_assignment`.

    `content` replaces the stored draft if given. `upcoming` is the clip that the person most likely
    gets next, for the browser to load ahead.
    """
    item = assignment.item
    upcoming, waiting = next_clip(assignment.membership, item.kind)
    kind = work_kind(item.kind)
    typed = content if content is not None else assignment.draft
    return {
        "assignment": assignment,
        "item": item,
        "clip": without_name(item.clip),
        "project": item.project,
        "membership": assignment.membership,
        "kind": item.kind,
        "is_editable": assignment.holds_lease,
        "is_submitted": assignment.state == Assignment.State.SUBMITTED,
        "submit_key": uuid4(),
        "base_version": assignment.draft_version if base_version is None else base_version,
        "problems": problems or [],
        "problem_by_field": {problem.field: problem.message for problem in problems or []},
        "notice": notice,
        "guideline": _guideline(assignment),
        "examples": shown_examples(item.project, item.kind),
        "watching": watching_of(assignment),
        "upcoming": upcoming,
        "waiting": _waiting(item.kind, waiting),
        "noun": kind.noun,
        "skip_reasons": kind.skip_reasons,
        **thread_context(assignment),
        **kind.context(assignment, typed),
    }


def _guideline(assignment: Assignment) -> ShownGuideline:
    """Return the guideline, with changes marked only while the person works."""
    kind = assignment.item.kind
    text = guideline_text(assignment.item.project, kind)
    if not assignment.holds_lease:
        return ShownGuideline(markdown_html(text))
    return shown_guideline(text, seen=seen_guideline(assignment.membership, kind))


def _waiting(kind: str, number: int) -> str:
    """Return the bar's text about waiting items; "" if they are opened one by one."""
    if type(work_kind(kind)).ahead is not WorkKind.ahead:
        return ""
    if number == 0:
        return "The last one"
    more = f"{MAX_WAITING - 1}+" if number >= MAX_WAITING else str(number)
    return f"{more} more wait{'s' if number == 1 else ''}"


def without_name(clip: Clip) -> Clip:
    """Return a copy of the clip that is called by its short name: its own may be the answer."""
    neutral = copy(clip)
    neutral.name = clip.short_name
    return neutral
