"""The human captions that CapST rests on, and which list of a caption's elements is in force."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q

from annotate.models import Caption, Project
from inference.backends.protocols import ElementKind
from inference.queries import AT_ONCE
from metrics.capst import PRESETS
from review.capst.models import CapstRun, Extraction
from review.capst.recipes import extraction_recipe
from review.captions.references import human_references

# The first holds the events, the last the objects.
_KINDS = {
    "split": (Caption.Kind.TEMPORAL, Caption.Kind.SPATIAL),
    "full": (Caption.Kind.GENERAL,),
}


@dataclass(frozen=True)
class References:
    """The captions of one clip, by their keys, that its events and its objects are taken from."""

    events: int
    objects: int


def references(project: Project, preset: str) -> dict[int, References]:
    """By clip: the newest temporal and spatial caption by people, or, as the official code has it,
    the full caption twice. Clips that lack one are left out."""
    kinds = _KINDS[PRESETS[preset].references]
    return {
        clip: References(found[kinds[0]], found[kinds[-1]])
        for clip, found in human_captions(project, kinds).items()
        if found.keys() == set(kinds)
    }


def human_captions(project: Project, kinds: Collection[str]) -> dict[int, dict[str, int]]:
    """By clip, its human captions in force by kind, of these kinds."""
    found: dict[int, dict[str, int]] = {}
    for kind in kinds:
        for clip, key in human_references(project, kind).items():
            found.setdefault(clip, {})[kind] = key
    return found


class HumanList(NamedTuple):
    """A list of elements of a human caption, be it in force or not; `key` is the Extraction's."""

    key: int
    caption: int
    clip: int
    kind: str
    author: int | None

    @property
    def is_checked(self) -> bool:
        return self.author is not None


def human_lists(project: Project, preset: str) -> list[HumanList]:
    """All that there are of captions of the kinds that the preset rests on, oldest first."""
    rows = Extraction.objects.filter(
        caption__project=project,
        caption__kind__in=_KINDS[PRESETS[preset].references],
        most_elements=PRESETS[preset].most_elements,
    )
    fields = ("pk", "caption", "caption__clip", "kind", "author")
    return [HumanList(*row) for row in rows.order_by("pk").values_list(*fields)]


def extractions_in_force(
    captions: Iterable[int],
    kind: ElementKind,
    most: int | None,
    recipe: str = "",
) -> dict[int, Extraction]:
    """By caption: the newest list that a person checked, else the newest of the recipe, or without
    one of whichever."""
    keys = sorted(set(captions))
    found: dict[int, Extraction] = {}
    for start in range(0, len(keys), AT_ONCE):
        rows = Extraction.objects.filter(
            caption__in=keys[start : start + AT_ONCE], kind=kind, most_elements=most
        )
        if recipe:
            rows = rows.filter(Q(recipe=recipe) | Q(author__isnull=False))
        for one in rows.order_by("pk"):
            before = found.get(one.caption_id)
            if before is None or one.is_checked or not before.is_checked:
                found[one.caption_id] = one
    return found


def wanted_elements(run: CapstRun, found: References) -> set[tuple[int, ElementKind]]:
    """Which elements of the human captions a clip of the run needs: (caption, kind).

    Without captions to judge, the objects of temporal captions too: how far these tell of objects
    is asked by appendix E.
    """
    wanted: set[tuple[int, ElementKind]] = {(found.events, "events"), (found.objects, "objects")}
    return wanted | ({(found.events, "objects")} if run.caption_set_id is None else set())


def references_in_force(
    run: CapstRun, captions: Collection[int]
) -> Mapping[ElementKind, dict[int, Extraction]]:
    """Of human captions, the lists that the run is to judge with."""
    most = PRESETS[run.preset].most_elements
    recipe = extraction_recipe(run.extractor_recipe, most)
    kinds: tuple[ElementKind, ...] = ("events", "objects")
    return {kind: extractions_in_force(captions, kind, most, recipe) for kind in kinds}
