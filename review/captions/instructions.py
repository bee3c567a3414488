"""The input of a model for its captions: prompt, frames, and whether it got the theme.

Two sets of captions are comparable only if their models got the same input. A model that got the
theme of a video, or its category and subcategory, knew part of what its caption is judged by.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import Count, Q

from annotate.models import Project
from inference.models import RunItem
from inference.recipes import Recipe, try_recipe
from inference.registry import BACKENDS
from review.captions.models import CaptionSet
from review.reports.instructions import Instructions

Theme = CaptionSet.Theme


def statement_of_run(recipe: Recipe) -> dict[str, str]:
    """Return the input that a caption run's recipe states, as the fields of a CaptionSet."""
    stated = recipe.stated
    frames = str(stated.sampling) if stated.sampling else ""
    if not _reads_prompt(recipe):
        return {"prompt": "", "system": "", "frames": frames, "theme": Theme.NOT_TOLD}
    themes: Mapping[bool | None, str] = {True: Theme.TOLD, False: Theme.NOT_TOLD}
    return {
        "prompt": stated.prompt,
        "system": stated.system,
        "frames": frames,
        "theme": themes.get(stated.use_theme, Theme.UNKNOWN),
    }


def instructions_of(caption_set: CaptionSet) -> Instructions:
    """Return the input of the set's model; load its run, if any, with it."""
    recipe = try_recipe(caption_set.run.recipe)[0] if caption_set.run else None
    return Instructions(
        name=caption_set.name,
        prompt=caption_set.prompt,
        system=caption_set.system,
        frames=caption_set.frames,
        theme=caption_set.theme,
        reads_prompt=recipe is None or _reads_prompt(recipe),
    )


def told_themes_sentence(caption_set: CaptionSet) -> str:
    """Return a sentence on who named the themes that the set's model got; "" if it got none
    here.
    """
    if caption_set.run is None or caption_set.theme != Theme.TOLD:
        return ""
    items = RunItem.objects.filter(run=caption_set.run).exclude(state=RunItem.State.FAILED)
    counts = items.aggregate(
        by_model=_videos(Q(theme__isnull=False, theme__author__isnull=True)),
        by_people=_videos(Q(theme__author__isnull=False)),
        categories=_videos(Q(theme__isnull=True)),
    )
    parts = [
        f"{counts[key]:,} {words}"
        for key, words in (
            ("by_model", "named by a model"),
            ("by_people", "given by people"),
            ("categories", "only by category and subcategory"),
        )
        if counts[key]
    ]
    return f"Themes of its videos: {', '.join(parts)}." if parts else ""


def _videos(of: Q) -> Count:
    return Count("clip__video", filter=of, distinct=True)


def instructions_of_sets(
    project: Project, keys: Collection[int] | None = None
) -> dict[int, Instructions]:
    """Return the instructions of these sets, or of every set of the project, by set."""
    sets = CaptionSet.objects.filter(project=project).select_related("run").order_by("name")
    if keys is not None:
        sets = sets.filter(pk__in=keys)
    return {caption_set.pk: instructions_of(caption_set) for caption_set in sets}


def _reads_prompt(recipe: Recipe) -> bool:
    backend = recipe.model.backend if recipe.model else ""
    return backend not in BACKENDS or BACKENDS[backend].reads_prompt
