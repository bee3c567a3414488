"""Preview a run before it starts: its amount of work, finished work, and what it outdates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from annotate.models import Project
from inference import words
from inference.models import InferenceRun, ModelSpec, RunItem
from inference.planning.due import in_scope
from inference.planning.left_out import left_out_by_cutting, left_out_sentence
from inference.planning.plans import Subject, nothing_to_do, subjects_of
from inference.planning.presets import options_for
from inference.planning.recipes import first_change, hash_of, item_key, settings_of
from inference.planning.replacement import Replacement, replaced_by
from inference.planning.services import missing
from inference.planning.themes import captions_told_otherwise, themes_sentence
from inference.planning.undecided import NONE_UNDECIDED, Undecided, undecided_to_caption
from inference.planning.unfinished import NONE_UNFINISHED, Unfinished, unfinished_captions
from inference.planning.word_counts import words_sentence
from inference.queries import lineage
from inference.recipes import Recipe, RefineRecipe, try_recipe
from inference.runs.services import build_recipe
from inference.runs.usage import estimate
from inference.servers.checks import warning_about

Done = RunItem.State.DONE


@dataclass(frozen=True)
class Preview:
    """Of `total` items, `reused` were done with exactly this recipe, and `skipped` are left out
    because any recipe did them. `outdates` counts current results by the reason why they would be
    outdated. A refine run has a `threshold`, and the names of its `rewriters` in order.
    `why_nothing` says what to do first if `total` is 0. `replaces` is what happens to existing
    captions, None for a run that writes none. `unfinished` are captions that a fuse run would join
    too early, `undecided` videos that a caption run would describe too early. `words` says what
    TF-IDF counts, `beyond` what the chosen scope leaves out, `left_out` how many clips are too
    short or too small, `too_short` which videos a segment run will leave out, `themes` what the
    model is told about the videos, and `told_otherwise` what a theme run makes out of date. `cost`
    estimates what it will use on model servers, and `server_warning` says what their last test
    found against a caption run.
    """

    total: int
    reused: int
    skipped: int
    outdates: Mapping[str, int]
    why_nothing: str = ""
    threshold: float | None = None
    rewriters: tuple[str, ...] = ()
    replaces: Replacement | None = None
    unfinished: Unfinished = NONE_UNFINISHED
    undecided: Undecided = NONE_UNDECIDED
    words: str = ""
    beyond: str = ""
    left_out: str = ""
    too_short: str = ""
    themes: str = ""
    told_otherwise: str = ""
    cost: str = ""
    server_warning: str = ""

    @property
    def to_do(self) -> int:
        return self.total - self.reused


def preview_run(
    *,
    project: Project,
    kind: str,
    model: ModelSpec | None,
    options: Mapping[str, Any],
    only_missing: bool = False,
    counts_again: bool = False,
    scope: str = "",
) -> Preview:
    """Preview a run; read only keys, and store nothing. Raises InferenceError if the run is
    impossible.
    """
    chosen = options_for(project, kind, options)
    recipe = build_recipe(
        project=project, kind=kind, model=model, options=chosen, counts_again=counts_again
    )
    recipe_hash = hash_of(recipe)
    subjects = list(subjects_of(project, recipe))
    everything = len(subjects)
    subjects = in_scope(project, recipe, scope, subjects)
    planned = len(subjects)
    if only_missing:
        subjects = missing(project, kind, model, subjects)
    same = RunItem.objects.filter(run__recipe_hash=recipe_hash, state=Done)
    known_keys = set(same.values_list("key", flat=True))
    to_do = [
        subject for subject in subjects if item_key(recipe_hash, *subject.inputs) not in known_keys
    ]
    chain = recipe.chain if isinstance(recipe, RefineRecipe) else []
    earlier = lineage(project, model, recipe)
    return Preview(
        total=len(subjects),
        reused=len(subjects) - len(to_do),
        skipped=planned - len(subjects),
        outdates=_outdates(earlier, recipe),
        why_nothing="" if subjects else nothing_to_do(project, recipe, only_missing or bool(scope)),
        threshold=recipe.threshold if isinstance(recipe, RefineRecipe) else None,
        rewriters=tuple(model.name for model in chain),
        replaces=replaced_by(project, kind, to_do) if to_do else None,
        unfinished=_unfinished(project, kind, to_do),
        undecided=undecided_to_caption(project, recipe, scope) if to_do else NONE_UNDECIDED,
        words=words_sentence(project, recipe),
        beyond=_beyond(kind, scope, everything - planned),
        left_out=left_out_sentence(project, recipe),
        too_short=left_out_by_cutting(recipe, [subject.pk for subject in to_do]),
        themes=themes_sentence(project, recipe),
        told_otherwise=_told_otherwise(project, kind, to_do),
        cost=estimate(earlier, recipe, len(to_do), words.KINDS[kind].noun),
        server_warning=_server_warning(kind, recipe),
    )


def _server_warning(kind: str, recipe: Recipe) -> str:
    is_caption = kind == InferenceRun.Kind.CAPTION
    return warning_about(settings_of(recipe.own_model)) if is_caption else ""


def _beyond(kind: str, scope: str, number: int) -> str:
    """Return how many subjects the run leaves out because of its scope, and why."""
    if not scope or not number:
        return ""
    nouns, (_, why) = words.KINDS[kind].noun, words.SCOPES[kind][scope]
    verb = "is" if number == 1 else "are"
    return f"{words.counted(number, nouns)} {why} {verb} left out."


def _told_otherwise(project: Project, kind: str, to_do: Sequence[Subject]) -> str:
    """Return how many model captions a theme run makes out of date."""
    if kind != InferenceRun.Kind.THEME or not to_do:
        return ""
    number = captions_told_otherwise(project, {subject.pk for subject in to_do})
    if not number:
        return ""
    verb = "goes" if number == 1 else "go"
    captions = words.counted(number, ("model caption", "model captions"))
    return f"{captions} {verb} out of date: the model was told another theme, or none."


def _unfinished(project: Project, kind: str, to_do: Sequence[Subject]) -> Unfinished:
    if kind != InferenceRun.Kind.FUSE:
        return NONE_UNFINISHED
    return unfinished_captions(project, {subject.pk for subject in to_do})


def _outdates(earlier: QuerySet[InferenceRun], recipe: Recipe) -> dict[str, int]:
    """Count what `mark_stale` would newly mark, by reason."""
    fresh = Count("items", filter=Q(items__state=Done, items__stale_because=""))
    counts: dict[str, int] = {}
    for made_by, number in earlier.annotate(fresh=fresh).values_list("recipe", "fresh"):
        before, _ = try_recipe(made_by)
        because = first_change(before, recipe) if before else ""
        if number and because:
            counts[because] = counts.get(because, 0) + number
    return counts
