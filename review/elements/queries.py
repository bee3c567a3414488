"""Which human captions have their elements found, and which lists a person has checked."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q, QuerySet

from annotate.models import Caption, Clip, Project, WorkItem
from inference.backends.protocols import ElementKind
from inference.queries import BATCH_SIZE
from metrics.capst import DEFAULT, OFFICIAL, PRESETS
from review.captions.references import have_human_reference, human_references
from review.elements.lines import KINDS, list_field
from review.elements.models import Extraction

State = WorkItem.State


def most_elements_of(caption: Caption) -> int | None:
    """Return the largest number of elements that a model is asked for; only the official preset,
    which uses full captions, has a limit."""
    is_full = caption.kind == Caption.Kind.GENERAL
    return (OFFICIAL if is_full else DEFAULT).most_elements


def lists_of(caption: Caption) -> dict[ElementKind, Extraction]:
    """Return the current lists of a human caption, as far as there are any."""
    most = most_elements_of(caption)
    lists = {kind: current_extractions([caption.pk], kind, most) for kind in KINDS}
    return {kind: by_caption[caption.pk] for kind, by_caption in lists.items() if by_caption}


def lists_to_check(item: WorkItem, caption: Caption) -> dict[ElementKind, Extraction]:
    """Return the lists that the work shows: the current ones, or in a training the corrected ones,
    whose keys are in its context."""
    if item.purpose == WorkItem.Purpose.WORK:
        return lists_of(caption)
    keys = {kind: item.context.get(list_field(kind)) for kind in KINDS}
    lists = Extraction.objects.in_bulk([int(key) for key in keys.values() if key])
    return {kind: lists[int(key)] for kind, key in keys.items() if key}


@dataclass(frozen=True)
class ElementsProgress:
    """Human captions of a preset: all, those with elements, those with only checked lists, and
    those waiting for a person. `unchecked`: caption -> clip."""

    captions: int
    with_elements: int
    checked: int
    waiting: int
    unchecked: dict[int, int]


def elements_progress(project: Project, preset: str) -> ElementsProgress:
    clip_of: dict[int, int] = {}
    for clip, reference in references(project, preset).items():
        clip_of |= {reference.events: clip, reference.objects: clip}
    # A checked list is always current.
    checked_of: dict[int, dict[str, bool]] = {}
    for lists in human_lists(project, preset):
        if lists.caption in clip_of:
            kinds = checked_of.setdefault(lists.caption, {})
            kinds[lists.kind] = kinds.get(lists.kind, False) or lists.is_checked
    checked = {caption for caption, kinds in checked_of.items() if all(kinds.values())}
    waiting = set(
        WorkItem.objects.filter(project=project, kind="elements", state=State.OPEN).values_list(
            "subject", flat=True
        )
    )
    return ElementsProgress(
        captions=len(clip_of),
        with_elements=len(checked_of),
        checked=len(checked),
        waiting=len(waiting & clip_of.keys()),
        unchecked={
            key: clip_of[key] for key in sorted(checked_of.keys() - checked) if key not in waiting
        },
    )


# The first has the events, the last the objects.
_KINDS = {
    "split": (Caption.Kind.TEMPORAL, Caption.Kind.SPATIAL),
    "full": (Caption.Kind.GENERAL,),
}


@dataclass(frozen=True)
class References:
    """The captions of one clip, by key, from which its events and objects are taken."""

    events: int
    objects: int


def references(project: Project, preset: str) -> dict[int, References]:
    """Return, by clip, the newest temporal and spatial caption by people, or the full caption
    twice, as in the official code. Clips that lack one are left out."""
    kinds = _KINDS[PRESETS[preset].references]
    return {
        clip: References(of_kinds[kinds[0]], of_kinds[kinds[-1]])
        for clip, of_kinds in human_captions(project, kinds).items()
        if of_kinds.keys() == set(kinds)
    }


def clips_with_references(project: Project, preset: str) -> QuerySet[Clip]:
    """Return the clips that have `references`."""
    clips = Clip.objects.filter(
        project=project, video__excluded_because="", excluded_because=""
    ).order_by()
    for kind in _KINDS[PRESETS[preset].references]:
        clips = clips.filter(have_human_reference(kind))
    return clips


def human_captions(project: Project, kinds: Collection[str]) -> dict[int, dict[str, int]]:
    """Return each clip's current human captions of these kinds, by kind."""
    by_clip: dict[int, dict[str, int]] = {}
    for kind in kinds:
        for clip, key in human_references(project, kind).items():
            by_clip.setdefault(clip, {})[kind] = key
    return by_clip


class HumanList(NamedTuple):
    """A list of elements of a human caption, current or replaced; `key` is the Extraction's."""

    key: int
    caption: int
    clip: int
    kind: str
    model: int | None

    @property
    def is_checked(self) -> bool:
        return self.model is None


def human_lists(project: Project, preset: str) -> list[HumanList]:
    """Return all lists of captions of the preset's kinds, oldest first."""
    rows = Extraction.objects.filter(
        caption__project=project,
        caption__kind__in=_KINDS[PRESETS[preset].references],
        most_elements=PRESETS[preset].most_elements,
    )
    fields = ("pk", "caption", "caption__clip", "kind", "model")
    return [HumanList(*row) for row in rows.order_by("pk").values_list(*fields)]


def current_extractions(
    captions: Iterable[int],
    kind: ElementKind,
    most: int | None,
    recipe: str = "",
) -> dict[int, Extraction]:
    """Return, by caption, the newest checked list, else the newest of the recipe, or of any recipe
    if `recipe` is ""."""
    keys = sorted(set(captions))
    current: dict[int, Extraction] = {}
    for start in range(0, len(keys), BATCH_SIZE):
        rows = Extraction.objects.filter(
            caption__in=keys[start : start + BATCH_SIZE], kind=kind, most_elements=most
        )
        if recipe:
            rows = rows.filter(Q(recipe=recipe) | Q(model=None))
        for row in rows.order_by("pk"):
            before = current.get(row.caption_id)
            if before is None or row.is_checked or not before.is_checked:
                current[row.caption_id] = row
    return current
