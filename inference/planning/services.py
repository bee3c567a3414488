"""Plans the items of a run, and reuses results of the same recipe."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from annotate.jobs.parameters import read_parameters
from annotate.models import Project
from inference.errors import InferenceError, UnfinishedCaptions
from inference.models import InferenceRun, ModelSpec, RunItem, RunParameters
from inference.planning.due import in_scope
from inference.planning.plans import Subject, nothing_to_do, subjects_of
from inference.planning.recipes import item_key
from inference.planning.unfinished import unfinished_captions
from inference.queries import BATCH_SIZE
from inference.recipes import read_recipe

State = RunItem.State


def plan_items(run: InferenceRun) -> list[RunItem]:
    """Return the unsaved items, shortest subject first. Raises InferenceError without items, and
    UnfinishedCaptions if the run would join captions that wait for people without permission.
    """
    recipe = read_recipe(run.recipe)
    parameters = read_parameters(run, RunParameters)
    subjects = in_scope(run.project, recipe, parameters.scope, subjects_of(run.project, recipe))
    if run.only_missing:
        subjects = missing(run.project, run.kind, run.model, subjects)
    if not subjects:
        is_limited = run.only_missing or bool(parameters.scope)
        raise InferenceError(nothing_to_do(run.project, recipe, is_limited))
    keys = [item_key(run.recipe_hash, *subject.inputs) for subject in subjects]
    done = _done_before(keys)
    if run.kind == InferenceRun.Kind.FUSE and not parameters.joins_unfinished:
        _refuse_unfinished(
            run, {s.pk for s, key in zip(subjects, keys, strict=True) if key not in done}
        )
    ordered = sorted(zip(subjects, keys, strict=True), key=lambda pair: pair[0].length)
    return [
        RunItem(
            run=run,
            position=position,
            key=key,
            state=State.SKIPPED if key in done else State.WAITING,
            reused_id=done.get(key),
            theme_id=subject.theme,
            **{f"{subject.field}_id": subject.pk},
        )
        for position, (subject, key) in enumerate(ordered, 1)
    ]


def missing(
    project: Project, kind: str, model: ModelSpec | None, subjects: Sequence[Subject]
) -> list[Subject]:
    """Return the subjects without a result of this kind and model."""
    done = RunItem.objects.filter(
        run__project=project, run__kind=kind, run__model=model, state=State.DONE
    )
    fields = {subject.field for subject in subjects}
    have = {field: set(done.values_list(field, flat=True)) for field in fields}
    return [subject for subject in subjects if subject.pk not in have[subject.field]]


def _refuse_unfinished(run: InferenceRun, videos: Collection[int]) -> None:
    if unfinished := unfinished_captions(run.project, videos):
        raise UnfinishedCaptions(
            f"{unfinished.sentence} Nothing was joined. Wait for them, or start a run that joins "
            f"them anyway."
        )


def _done_before(keys: Sequence[str]) -> dict[str, int]:
    """Return the item that did the work, by key."""
    done: dict[str, int] = {}
    for start in range(0, len(keys), BATCH_SIZE):
        items = RunItem.objects.filter(key__in=keys[start : start + BATCH_SIZE], state=State.DONE)
        done.update(items.values_list("key", "pk"))
    return done
