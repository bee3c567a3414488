"""The captions in which TF-IDF counts words. A scorer keeps its set, so that the same text on the
same clip has the same score in every run.
"""

from __future__ import annotations

from dataclasses import replace

from django.db.models import Max, QuerySet

from annotate.models import Caption, Project
from inference.models import InferenceRun
from inference.planning.recipes import hash_of, scored_kind, scorer_settings
from inference.recipes import Recipe, ScoreRecipe, read_stored
from inference.words import counted

State = InferenceRun.State


def counted_captions(project: Project | int, kind: str) -> QuerySet[Caption]:
    """Return the captions whose words are counted: those of this kind by people and models."""
    return Caption.objects.filter(project=project, kind=kind)


def with_word_counts(
    project: Project, recipe: ScoreRecipe, *, counts_again: bool = False
) -> ScoreRecipe:
    """Return a recipe with keywords by TF-IDF, with the captions in which it counts words: those of
    the newest score run with the same settings; the current ones before the first such run, or if
    `counts_again`.
    """
    until = None if counts_again else _kept(project, recipe)
    captions = counted_captions(project, scored_kind(recipe))
    if until is None:
        until = captions.aggregate(last=Max("pk"))["last"] or 0
    return replace(recipe, until=until, counted=captions.filter(pk__lte=until).count())


def _kept(project: Project, recipe: ScoreRecipe) -> int | None:
    """Return `until` of the newest score run with the scorer settings of this recipe, if any."""
    runs = InferenceRun.objects.filter(project=project, kind=InferenceRun.Kind.SCORE)
    # A canceled run without results has no scores to compare with.
    runs = runs.exclude(state=State.CANCELLED, has_results=False).order_by("-pk")
    settings = hash_of(scorer_settings(recipe))
    for stored in runs.values_list("recipe", flat=True):
        made_by = read_stored(stored, ScoreRecipe)
        if made_by.until is not None and hash_of(scorer_settings(made_by)) == settings:
            return made_by.until
    return None


def words_sentence(project: Project, recipe: Recipe) -> str:
    """Return a sentence about the captions that words are counted in; empty without TF-IDF."""
    if not isinstance(recipe, ScoreRecipe) or recipe.counted is None:
        return ""
    of, now = recipe.counted, counted_captions(project, scored_kind(recipe)).count()
    sentence = f"Keywords by TF-IDF: words are counted in {counted(of, ('caption', 'captions'))}"
    if of == now:
        return f"{sentence}, all that exist now."
    return f"{sentence}, as in every run of this scorer. The project has {now:,} by now."
