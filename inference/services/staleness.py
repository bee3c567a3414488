"""Which results are out of date: their recipe was changed, or something that went into them."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from annotate.models import Caption
from inference.models import InferenceRun, ModelSpec, RunItem
from inference.recipes import first_change, hash_of, model_recipe

INPUT = "input"
Done = RunItem.State.DONE


def put_in_force(run: InferenceRun) -> None:
    """With the run's first result its recipe is the one that counts; a run without any outdates
    nothing. Safe to repeat."""
    run.has_results = True
    if InferenceRun.objects.filter(pk=run.pk, has_results=False).update(has_results=True):
        mark_stale(run)


def mark_stale(run: InferenceRun) -> None:
    """Mark what earlier recipes of the same kind and model have made, now that `run` sets a new
    one; what the same recipe has made is fresh again."""
    lineage = InferenceRun.objects.filter(
        project=run.project_id, kind=run.kind, model=run.model_id
    ).exclude(pk=run.pk)
    of = run.recipe["options"].get("of")
    for earlier in lineage:
        if earlier.recipe["options"].get("of") == of:
            _mark(earlier, first_change(earlier.recipe, run.recipe))
    refresh_inputs(run.project_id)


def mark_stale_by_model(spec: ModelSpec) -> None:
    """Mark what the model has made with another revision or other parameters than it has now."""
    now = hash_of(model_recipe(spec))
    for run in spec.runs.all():
        if hash_of(run.recipe["model"]) != now:
            _mark(run, "model")
        else:  # changed back to what it was
            run.items.filter(state=Done, stale_because="model").update(stale_because="")
    refresh_inputs(spec.project_id)


def refresh_inputs(project_id: int) -> None:
    """Carry staleness from captions to whatever was made from them."""
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


def _mark(run: InferenceRun, because: str) -> None:
    run.items.filter(state=Done).exclude(stale_because=because).update(stale_because=because)
