"""The items of a run: what it works on, and what the very same recipe has done before."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.models import Project
from inference.errors import InferenceError
from inference.models import InferenceRun, ModelSpec, RunItem
from inference.plans import Subject, nothing_to_do, subjects_of
from inference.queries import AT_ONCE
from inference.recipes import item_key

State = RunItem.State


def plan_items(run: InferenceRun) -> list[RunItem]:
    """The items, unsaved, shortest subject first. Raises InferenceError if it has no items."""
    subjects = list(subjects_of(run.project, run.recipe))
    if run.only_missing:
        subjects = missing(run.project, run.kind, run.model, subjects)
    if not subjects:
        raise InferenceError(nothing_to_do(run.project, run.recipe, run.only_missing))
    keys = [item_key(run.recipe_hash, *subject.inputs) for subject in subjects]
    done = _done_before(keys)
    ordered = sorted(zip(subjects, keys, strict=True), key=lambda pair: pair[0].length)
    return [
        RunItem(
            run=run,
            position=position,
            key=key,
            state=State.SKIPPED if key in done else State.WAITING,
            reused_id=done.get(key),
            **{f"{subject.field}_id": subject.pk},
        )
        for position, (subject, key) in enumerate(ordered, 1)
    ]


def missing(
    project: Project, kind: str, model: ModelSpec | None, subjects: Sequence[Subject]
) -> list[Subject]:
    """The subjects for which no run of this kind and model has a result."""
    done = RunItem.objects.filter(
        run__project=project, run__kind=kind, run__model=model, state=State.DONE
    )
    fields = {subject.field for subject in subjects}
    have = {field: set(done.values_list(field, flat=True)) for field in fields}
    return [subject for subject in subjects if subject.pk not in have[subject.field]]


def not_done_before(recipe_hash: str, subjects: Sequence[Subject]) -> list[Subject]:
    """The subjects that the very same recipe has not done with the same inputs."""
    keys = [item_key(recipe_hash, *subject.inputs) for subject in subjects]
    done = _done_before(keys)
    return [subject for subject, key in zip(subjects, keys, strict=True) if key not in done]


def _done_before(keys: Sequence[str]) -> dict[str, int]:
    """key -> the item that did it."""
    done: dict[str, int] = {}
    for start in range(0, len(keys), AT_ONCE):
        items = RunItem.objects.filter(key__in=keys[start : start + AT_ONCE], state=State.DONE)
        done.update(items.values_list("key", "pk"))
    return done
