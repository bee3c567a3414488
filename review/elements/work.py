"""The page on which a person corrects a caption's events and objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotate.errors import AnnotateError
from annotate.models import Assignment, Caption, Role, WorkItem
from annotate.queue.content import Content
from annotate.queue.fields import DraftField, key_of
from annotate.queue.queries import caption_asked_about
from annotate.queue.work_kinds import Context, WorkKind
from inference.backends.protocols import ElementKind
from review.captions.references import human_reference
from review.elements.lines import KINDS, lines_of, list_field, typed_form, warnings_about
from review.elements.models import Extraction
from review.elements.queries import lists_to_check
from review.elements.services import submit_elements

SINGULAR = {"events": "event", "objects": "object"}
HINTS = {
    "events": "One action or change per line, with who does it.",
    "objects": "One object with one attribute per line.",
}


def elements_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    try:
        caption = caption_asked_about(assignment.item)
    except AnnotateError as error:
        return {"no_caption": str(error)}
    lists = lists_to_check(assignment.item, caption)
    if not lists:
        return {"no_caption": "No model has found elements in this caption. Skip it."}
    return {
        "caption": caption,
        "paragraphs": [line for line in caption.text.splitlines() if line.strip()],
        "lists": [_list(kind, extraction, content) for kind, extraction in lists.items()],
        "is_superseded": _is_superseded(caption),
    }


def _list(kind: ElementKind, extraction: Extraction, content: Content) -> dict[str, Any]:
    before = extraction
    while before.is_checked and before.parent is not None:
        before = before.parent
    return {
        "found_by": before.method,
        "found_count": len(before.elements),
        "hint": HINTS[kind],
        "key_field": list_field(kind),
        "key": extraction.pk,
        "newer": extraction.elements if _is_newer(kind, extraction, content) else None,
        **typed_list(kind, content.get(kind, typed_form(extraction.elements))),
    }


def _is_newer(kind: ElementKind, extraction: Extraction, content: Content) -> bool:
    """Return whether the draft started from an earlier list and differs from the current one."""
    begun_on = content.get(list_field(kind), "")
    is_other = begun_on not in ("", str(extraction.pk))
    return is_other and lines_of(content.get(kind, "")) != extraction.elements


def typed_list(kind: ElementKind, typed: str) -> dict[str, Any]:
    """Return a typed list with its count and the lines worth a second look."""
    return {
        "kind": kind,
        "singular": SINGULAR[kind],
        "typed": typed,
        "count": len(lines_of(typed)),
        "warnings": warnings_about(kind, typed),
    }


def _is_superseded(caption: Caption) -> bool:
    current = human_reference(caption.clip_id, caption.kind)
    return current is not None and current > caption.pk


def elements_names(items: Sequence[WorkItem]) -> dict[int, str]:
    """Return item -> its clip and caption; items whose caption is gone are missing."""
    kinds = dict(
        Caption.objects.filter(pk__in={item.subject for item in items}).values_list("pk", "kind")
    )
    return {
        item.pk: f"{item.clip.name}, {Caption.Kind(kinds[item.subject]).label.lower()}"
        for item in items
        if item.subject in kinds
    }


class CheckElements(WorkKind):
    kind = "elements"
    label = "Elements"
    activity = "checking elements"
    roles = (Role.ANNOTATOR, Role.EXPERT, Role.REVIEWER)
    submitted = "Elements submitted"
    can_be_chosen = True
    title = "Elements of {}"
    step_title = "Check elements"
    counted_as = "Captions with checked elements"
    is_about_captions = True
    waits_while_left_out = True
    template = "review/elements/work_elements.html"
    next_label = "Check next elements"
    submit = staticmethod(submit_elements)
    fields = (
        *(DraftField(kind, f"The {kind}, one a line.") for kind in KINDS),
        *(key_of(list_field(kind), "The list they began on, as in the task.") for kind in KINDS),
    )
    noun = "caption"
    skip_reasons = ("The caption is in another language", "The lists are about another caption")
    text_fields = KINDS
    example_headings = ("Caption", "Events", "Objects")
    none_yet = (
        "Events and objects that a model found in a caption appear here when an admin hands them "
        "out."
    )
    none_free = "No caption waits for another person to check it now."
    none_for_you = "You have checked or skipped every waiting caption."

    def context(self, assignment: Assignment, draft: Content) -> Context:
        return elements_context(assignment, draft)

    def task(self, assignment: Assignment) -> dict[str, Any]:
        caption = caption_asked_about(assignment.item)
        return {
            "text": caption.text,
            "lists": {
                kind: {"elements": extraction.elements, list_field(kind): str(extraction.pk)}
                for kind, extraction in lists_to_check(assignment.item, caption).items()
            },
        }

    def example_parts(self, assignment: Assignment) -> list[str]:
        draft = assignment.draft
        caption = caption_asked_about(assignment.item)
        return [caption.text, draft.get("events", ""), draft.get("objects", "")]

    def names(self, items: Sequence[WorkItem]) -> dict[int, str]:
        return elements_names(items)
