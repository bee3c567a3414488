"""The captions in which TF-IDF counts words. A scorer keeps its set, so that the same text on the
same clip has the same score in every run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Max, QuerySet

from annotate.models import Caption, Project
from inference.models import InferenceRun
from inference.planning.recipes import hash_of, scored_kind, scorer_settings
from inference.words import counted

State = InferenceRun.State


def counted_captions(project: Project | int, kind: str) -> QuerySet[Caption]:
    """Return the captions whose words are counted: those of this kind by people and models."""
    return Caption.objects.filter(project=project, kind=kind)


def count_now(project: Project, kind: str) -> dict[str, int]:
    """Return the recipe's part about word counts for the captions of now of this kind: those up to
    the key `until`, `counted` in number.
    """
    newest = counted_captions(project, kind).aggregate(last=Max("pk"))["last"]
    return _up_to(project, kind, newest or 0)


def kept_count(project: Project, recipe: Mapping[str, Any]) -> dict[str, int] | None:
    """Return the part of the newest score run with the scorer settings of this recipe, as
    `count_now` does; None before the first such run.
    """
    runs = InferenceRun.objects.filter(project=project, kind=InferenceRun.Kind.SCORE)
    # A canceled run without results has no scores to compare with.
    runs = runs.exclude(state=State.CANCELLED, has_results=False).order_by("-pk")
    settings = hash_of(scorer_settings(recipe))
    for made_by in runs.values_list("recipe", flat=True):
        if made_by["keyword_model"] is None and hash_of(scorer_settings(made_by)) == settings:
            return _up_to(project, scored_kind(recipe), made_by["until"])
    return None


def _up_to(project: Project, kind: str, until: int) -> dict[str, int]:
    number = counted_captions(project, kind).filter(pk__lte=until).count()
    return {"until": until, "counted": number}


def words_sentence(project: Project, recipe: Mapping[str, Any]) -> str:
    """Return a sentence about the captions that words are counted in; empty without TF-IDF."""
    if recipe.get("keyword_model") is not None or "until" not in recipe:
        return ""
    of, now = recipe["counted"], count_now(project, scored_kind(recipe))["counted"]
    sentence = f"Keywords by TF-IDF: words are counted in {counted(of, ('caption', 'captions'))}"
    if of == now:
        return f"{sentence}, all that exist now."
    return f"{sentence}, as in every run of this scorer. The project has {now:,} by now."
