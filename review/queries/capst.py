"""The human captions that CapST rests on, and which list of a caption's elements is in force."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q

from annotate.models import Caption, Project
from inference.backends.protocols import ElementKind
from inference.queries import AT_ONCE
from metrics.capst import PRESETS
from review.capst.recipes import extraction_recipe
from review.models import CapstRun, Extraction
from review.queries.references import human_references

_PARTS = (Caption.Kind.SPATIAL, Caption.Kind.TEMPORAL)


@dataclass(frozen=True)
class References:
    """The captions of one clip, by their keys, that its events and its objects are taken from."""

    events: int
    objects: int


def references(project: Project, preset: str) -> dict[int, References]:
    """By clip: the newest temporal and spatial caption by people, or, as the official code has it,
    the full caption twice. Clips that lack one are left out."""
    captions = human_captions(project)
    if PRESETS[preset].references == "full":
        return {
            clip: References(found[Caption.Kind.GENERAL], found[Caption.Kind.GENERAL])
            for clip, found in captions.items()
            if Caption.Kind.GENERAL in found
        }
    return {
        clip: References(found[Caption.Kind.TEMPORAL], found[Caption.Kind.SPATIAL])
        for clip, found in captions.items()
        if set(_PARTS) <= found.keys()
    }


def human_captions(project: Project) -> dict[int, dict[str, int]]:
    """By clip, its human captions in force by kind."""
    found: dict[int, dict[str, int]] = {}
    for kind in (*_PARTS, Caption.Kind.GENERAL):
        for clip, key in human_references(project, kind).items():
            found.setdefault(clip, {})[kind] = key
    return found


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
