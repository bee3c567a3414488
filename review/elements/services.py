"""Assign the elements of human captions to people, who correct them."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from annotate.audit import record_event
from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import Project, User, WorkItem
from annotate.queue.content import Content
from annotate.queue.queries import caption_asked_about
from annotate.queue.services import Submission, submits
from annotate.text.parts import Problem
from inference.backends.protocols import ElementKind
from inference.queries import BATCH_SIZE
from review.elements.lines import lines_of, list_field, problem_with
from review.elements.models import Extraction
from review.elements.queries import elements_progress, lists_to_check
from review.errors import ReviewError
from review.reports.services import recompute_later

State = WorkItem.State


@transaction.atomic
def hand_out_elements(*, project: Project, preset: str, admin: User | None) -> int:
    """Ask one person about every human caption of the preset with a current unchecked list; return
    the number of captions. Raises ReviewError without such captions."""
    project = Project.objects.lock(project.pk)
    unchecked = elements_progress(project, preset).unchecked
    if not unchecked:
        raise ReviewError("No lists are ready to hand out. Run a model that finds elements first.")
    for start in range(0, len(unchecked), BATCH_SIZE):
        _open(project, dict(list(unchecked.items())[start : start + BATCH_SIZE]))
    record_event(
        actor=admin, verb="hand out elements", subject=project, project=project,
        after={"preset": preset, "captions": len(unchecked)},
    )  # fmt: skip
    return len(unchecked)


def _open(project: Project, clip_of: dict[int, int]) -> None:
    """Open work for these captions, and reopen earlier items whose caption has received a list
    since.
    """
    items = WorkItem.objects.filter(project=project, kind="elements", subject__in=list(clip_of))
    items.exclude(state=State.OPEN).update(
        state=State.OPEN, needed=F("needed") + 1, open_slots=F("open_slots") + 1
    )
    open_already = set(items.values_list("subject", flat=True))
    WorkItem.objects.bulk_create(
        WorkItem(project=project, clip_id=clip, kind="elements", subject=caption)
        for caption, clip in clip_of.items()
        if caption not in open_already
    )


@submits()
def submit_elements(submission: Submission) -> None:
    """Store each list of the page as this person submitted it, changed or not.

    `content` has `events` and `objects`, one element a line, for each list on the page, and
    `events_list` and `objects_list`, the keys of the extractions shown: a list that was not shown
    isn't checked. Runs judged with the earlier lists become outdated. Raises WorkInvalid,
    LeaseLost, DraftConflict, and AnnotateError if a list was replaced or removed in the meantime.
    """
    assignment, content = submission.assignment, submission.content
    caption = caption_asked_about(assignment.item)
    before = checked_lists(assignment.item, content)
    typed = {str(kind): content[kind] for kind in before}
    Extraction.objects.bulk_create(
        Extraction(
            caption=caption,
            kind=kind,
            elements=lines_of(typed[kind]),
            most_elements=parent.most_elements,
            recipe=parent.recipe,
            method=parent.method,
            author=submission.person,
            assignment=assignment,
            parent=parent,
        )
        for kind, parent in before.items()
    )
    submission.complete(typed)
    submission.record(
        verb="check elements",
        subject=caption,
        before={kind: parent.elements for kind, parent in before.items()},
        after={kind: lines_of(text) for kind, text in typed.items()},
    )
    recompute_later(assignment.item.project_id, "leakage")


def checked_lists(item: WorkItem, content: Content) -> dict[ElementKind, Extraction]:
    """Return the lists of the page, each checked to be the one that was shown. Raises WorkInvalid
    if a list can't be stored as typed, and AnnotateError as `submit_elements` does."""
    lists = _shown_lists(item, content)
    problems = {kind: problem_with(kind, content[kind]) for kind in lists}
    if any(problems.values()):
        raise WorkInvalid([Problem(kind, text) for kind, text in problems.items() if text])
    return lists


def _shown_lists(item: WorkItem, content: Content) -> dict[ElementKind, Extraction]:
    current = lists_to_check(item, caption_asked_about(item))
    if not current:
        raise AnnotateError("No model has found elements in this caption. Skip it.")
    shown_lists = {kind: extraction for kind, extraction in current.items() if kind in content}
    if not shown_lists:
        raise AnnotateError("The page sent no list, so nothing was stored. Reload it and submit.")
    for kind, extraction in shown_lists.items():
        if content.get(list_field(kind)) != str(extraction.pk):
            raise AnnotateError(
                f"The list of {kind} has changed since you started. Nothing was stored and your "
                "text is kept. Open this item again from My work, compare, and submit."
            )
    return shown_lists
