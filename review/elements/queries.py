"""Which human captions have their elements found, and which lists a person has checked."""

from __future__ import annotations

from dataclasses import dataclass

from annotate.models import Caption, Project, WorkItem
from inference.backends.protocols import ElementKind
from metrics.capst import DEFAULT, OFFICIAL
from review.capst.models import Extraction
from review.capst.queries import extractions_in_force, human_lists, references
from review.capst.recipes import KINDS

State = WorkItem.State


def most_elements_of(caption: Caption) -> int | None:
    """How many elements a model was asked for: only the official choices limit them, and they take
    the full caption."""
    is_full = caption.kind == Caption.Kind.GENERAL
    return (OFFICIAL if is_full else DEFAULT).most_elements


def lists_of(caption: Caption) -> dict[ElementKind, Extraction]:
    """The lists of a human caption that are in force, as far as there are any."""
    most = most_elements_of(caption)
    found = {kind: extractions_in_force([caption.pk], kind, most) for kind in KINDS}
    return {kind: by_caption[caption.pk] for kind, by_caption in found.items() if by_caption}


@dataclass(frozen=True)
class ElementsProgress:
    """Human captions of a preset: all, those with elements, those whose every list a person has
    checked, and those that wait for somebody. `unchecked`: caption -> its clip."""

    captions: int
    found: int
    checked: int
    waiting: int
    unchecked: dict[int, int]


def elements_progress(project: Project, preset: str) -> ElementsProgress:
    clip_of: dict[int, int] = {}
    for clip, one in references(project, preset).items():
        clip_of |= {one.events: clip, one.objects: clip}
    # A list that somebody has checked is in force whatever else there is.
    checked_of: dict[int, dict[str, bool]] = {}
    for one in human_lists(project, preset):
        if one.caption in clip_of:
            kinds = checked_of.setdefault(one.caption, {})
            kinds[one.kind] = kinds.get(one.kind, False) or one.is_checked
    checked = {caption for caption, kinds in checked_of.items() if all(kinds.values())}
    waiting = set(
        WorkItem.objects.filter(
            project=project, kind=WorkItem.Kind.ELEMENTS, state=State.OPEN
        ).values_list("subject", flat=True)
    )
    return ElementsProgress(
        captions=len(clip_of),
        found=len(checked_of),
        checked=len(checked),
        waiting=len(waiting & clip_of.keys()),
        unchecked={
            key: clip_of[key] for key in sorted(checked_of.keys() - checked) if key not in waiting
        },
    )
