"""Marks results as out of date if their recipe or their input has changed."""

from __future__ import annotations

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from annotate.models import Caption, Video
from inference.errors import InferenceError
from inference.models import InferenceRun, ModelSpec, RunItem, VideoTheme
from inference.planning.recipes import first_change, hash_of, model_recipe
from inference.planning.themes import THEMED, tells_theme
from inference.queries import lineage
from inference.recipes import try_recipe

INPUT, MODEL, THEME = "input", "model", "theme"
Done = RunItem.State.DONE


def make_run_current(run: InferenceRun) -> None:
    """Make the run's recipe count, from its first result on; a run without results outdates
    nothing. Safe to repeat.
    """
    run.has_results = True
    if InferenceRun.objects.filter(pk=run.pk, has_results=False).update(has_results=True):
        mark_stale(run)


def mark_stale(run: InferenceRun) -> None:
    """Mark results that differ from the recipe of the newest run with results, which may be another
    run, and results made from them. Results of the newest recipe become fresh again.
    """
    if recipe := try_recipe(run.recipe)[0]:
        _judge(lineage(run.project_id, run.model_id, recipe), run.model_id)
    _refresh_themes(run.project_id)
    refresh_inputs(run.project_id)


def mark_stale_by_model(spec: ModelSpec) -> None:
    """Mark results that the model made with another revision or other parameters."""
    stored = map(try_recipe, spec.runs.values_list("recipe", flat=True))
    lineages = {(recipe.kind, recipe.stated.of): recipe for recipe, _ in stored if recipe}
    for recipe in lineages.values():
        _judge(lineage(spec.project_id, spec.pk, recipe), spec.pk)
    _refresh_themes(spec.project_id)
    refresh_inputs(spec.project_id)


def mark_stale_by_theme(video: Video) -> None:
    """Mark model captions of the video's clips stale if their model was given another theme than
    the current one.
    """
    if _refresh_themes(video.project_id, video):
        refresh_inputs(video.project_id)


def _refresh_themes(project_id: int, video: Video | None = None) -> int:
    """Return the number of changed items, in one video or in all."""
    if not VideoTheme.objects.filter(project=project_id).exists():
        return 0
    runs = InferenceRun.objects.filter(project=project_id, kind__in=THEMED)
    recipes = runs.values_list("pk", "recipe")
    told_items = RunItem.objects.filter(
        run__in=[
            pk
            for pk, stored in recipes
            if (recipe := try_recipe(stored)[0]) and tells_theme(recipe)
        ],
        state=Done,
    )
    if video is not None:
        told_items = told_items.filter(clip__video=video)
    now = VideoTheme.objects.filter(video=OuterRef("clip__video")).current_first()
    others = told_items.annotate(
        now=Coalesce(Subquery(now.values("text")[:1]), Value("")),
        then=Coalesce("theme__text", Value("")),
    ).exclude(now=F("then"))
    keys = others.values("pk")
    newly = told_items.filter(stale_because="", pk__in=keys).update(stale_because=THEME)
    return newly + told_items.filter(stale_because=THEME).exclude(pk__in=keys).update(
        stale_because=""
    )


def refresh_inputs(project_id: int) -> None:
    """Pass staleness on from captions to the results made from them."""
    if not _done(project_id).exclude(stale_because="").exists():
        return
    # Embeddings and scores of a caption, then captions fused from captions.
    for _ in range(3):
        stale = Caption.objects.filter(
            made_by_items__in=_done(project_id).exclude(stale_because="")
        )
        uses_stale = Q(caption__in=stale.values("pk")) | Q(
            result__parents__in=stale.values("pk"), run__kind=InferenceRun.Kind.FUSE
        )
        used = _done(project_id).filter(uses_stale).values("pk")
        newly = _done(project_id).filter(stale_because="", pk__in=used)
        no_more = _done(project_id).filter(stale_because=INPUT).exclude(pk__in=used)
        changed = newly.update(stale_because=INPUT) + no_more.update(stale_because="")
        if not changed:
            return


def _done(project_id: int) -> QuerySet[RunItem]:
    return RunItem.objects.filter(run__project=project_id, state=Done)


def _judge(runs: QuerySet[InferenceRun], model_id: int | None) -> None:
    """Store for every result of these runs whether it is outdated, and why; not for those whose
    recipe can't be read.
    """
    model = _model_now(model_id)
    made = [
        (key, has_results, recipe)
        for key, has_results, stored in runs.order_by("-pk").values_list(
            "pk", "has_results", "recipe"
        )
        if (recipe := try_recipe(stored)[0])
    ]
    newest = next(
        (
            recipe
            for _, has_results, recipe in made
            if has_results and hash_of(recipe.model) == model
        ),
        None,
    )
    by_reason: dict[str, list[int]] = {}
    for key, _, recipe in made:
        because = first_change(recipe, newest) if newest else MODEL
        by_reason.setdefault(because, []).append(key)
    for because, keys in by_reason.items():
        done = RunItem.objects.filter(run__in=keys, state=Done)
        done.exclude(stale_because=because).update(stale_because=because)


def _model_now(model_id: int | None) -> str:
    """Return the hash of the model's current settings; empty if they are no longer valid."""
    if model_id is None:
        return hash_of(None)
    try:
        return hash_of(model_recipe(ModelSpec.objects.get(pk=model_id)))
    except InferenceError:
        return ""
