"""Starting a run: what it is to do, what is done already, and handing it to the workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotate.models import Project, User
from annotate.services.audit import record_event
from inference.errors import InferenceError, UnfinishedCaptions
from inference.models import InferenceRun, ModelSpec, RunItem
from inference.options import CaptionOptions, EmbedOptions, Options, ScoreOptions
from inference.plans import Subject, subjects_of
from inference.presets import options_for
from inference.queries import AT_ONCE, threshold_in_force
from inference.recipes import hash_of, item_key, make_recipe, model_recipe, scorer_recipe
from inference.registry import BACKENDS, Role, has_role, info, model_settings, refuse_unlisted
from inference.services.queueing import queue_run
from inference.services.staleness import put_in_force
from inference.unfinished import unfinished_captions
from inference.word_counts import count_now, kept_count

Kind = InferenceRun.Kind
State = InferenceRun.State
ROLE_OF_KIND = {
    Kind.CAPTION: Role.CAPTIONER,
    Kind.EMBED: Role.ENCODER,
    Kind.SCORE: Role.ENCODER,
    Kind.REFINE: Role.ENCODER,
    Kind.FUSE: Role.JOINER,
}
# Segmentation only decodes, so it goes where videos are imported.
QUEUE_OF_SEGMENTATION = "media"
DEFAULT_THRESHOLD = 0.2  # LoVR, section 3.2.2


@transaction.atomic
def start_run(
    *,
    project: Project,
    kind: str,
    model: ModelSpec | None = None,
    options: Mapping[str, Any] | None = None,
    only_missing: bool = False,
    joins_unfinished: bool = False,
    counts_again: bool = False,
    admin: User | None = None,
) -> InferenceRun:
    """Plan the run and queue it; what the same recipe has done before is not done again.

    With `only_missing` what any recipe of this kind and model has done is left out. With
    `counts_again` TF-IDF counts words in the captions of now, which makes another scorer. Raises
    InferenceError, with nothing stored, when the model can't do it, when there is nothing to work
    on, when the very same run is in progress, and, as UnfinishedCaptions, when it would join
    captions that wait for people, unless `joins_unfinished` says that it may.
    """
    # One plan at a time in a project, so that two runs never plan the same work.
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    chosen = options_for(project, kind, options)
    recipe = build_recipe(
        project=project, kind=kind, model=model, options=chosen, counts_again=counts_again
    )
    recipe_hash = hash_of(recipe)
    refuse_twice(project, recipe_hash)
    subjects = list(subjects_of(project, recipe))
    if only_missing:
        subjects = missing(project, kind, model, subjects)
    if not subjects:
        raise InferenceError(nothing_to_do(project, recipe, only_missing))
    if not joins_unfinished:
        _refuse_unfinished(project, kind, recipe_hash, subjects)

    run = InferenceRun.objects.create(
        project=project,
        kind=kind,
        model=model,
        recipe=recipe,
        recipe_hash=recipe_hash,
        only_missing=only_missing,
        queue=_queue(kind, model, recipe),
        total=len(subjects),
        created_by=admin,
    )
    to_do = _plan_items(run, subjects)
    if to_do < run.total:
        put_in_force(run)
    if to_do:
        queue_run(run)
    else:
        run.state, run.finished_at = State.FINISHED, timezone.now()
        run.reason = "Everything was done before by the very same recipe. Nothing was repeated."
        run.save(update_fields=["state", "finished_at", "reason"])
    record_event(
        actor=admin,
        verb="start run",
        subject=run,
        project=project,
        after={"kind": kind, "model": str(model or ""), "recipe": recipe_hash, "items": run.total},
    )
    return run


def build_recipe(
    *,
    project: Project,
    kind: str,
    model: ModelSpec | None,
    options: Options,
    counts_again: bool = False,
) -> dict[str, Any]:
    """What `start_run` would store as the run's recipe. Raises InferenceError."""
    if kind == Kind.SEGMENT:
        if model is not None:
            raise InferenceError("Segmentation needs no model. Leave the model out.")
        return make_recipe(kind, options)
    if model is None:
        raise InferenceError(f"Choose the model for this {kind} run.")
    _refuse_unfit(project, model, ROLE_OF_KIND[Kind(kind)])
    options = _fitting(options, model)
    more: dict[str, Any] = {}
    if isinstance(options, ScoreOptions):
        more = {"keyword_model": _keyword_model(project, options)}
    recipe = make_recipe(kind, options, model=model, more_models=more)
    if isinstance(options, ScoreOptions) and not options.keyword_model:
        kept = None if counts_again else kept_count(project, recipe)
        recipe |= kept or count_now(project)
    if kind == Kind.REFINE:
        recipe |= _refining(project, recipe)
    return recipe


def _fitting(options: Options, model: ModelSpec) -> Options:
    """The options with the frames that the model needs, where it can work with no others."""
    needs = info(model)
    if isinstance(options, CaptionOptions | EmbedOptions) and needs.sampling:
        options = replace(options, sampling=needs.sampling)
    if isinstance(options, CaptionOptions) and needs.longest_side:
        options = replace(options, longest_side=needs.longest_side)
    return options


def _keyword_model(project: Project, options: ScoreOptions) -> dict[str, Any] | None:
    """The text model that names keywords; None where TF-IDF finds them."""
    if not options.keyword_model:
        return None
    keyword_model = ModelSpec.objects.filter(
        project=project, pk=options.keyword_model, is_active=True
    ).first()
    if keyword_model is None:
        raise InferenceError("The model for keywords is gone. Choose another one.")
    _refuse_unfit(project, keyword_model, Role.TEXT)
    return model_recipe(keyword_model)


def _refining(project: Project, recipe: dict[str, Any]) -> dict[str, Any]:
    chain = list(
        ModelSpec.objects.filter(
            project=project, is_active=True, refine_order__isnull=False
        ).order_by("refine_order")
    )
    if not chain:
        raise InferenceError(
            "No model is set to regenerate captions. Give at least one captioner a place in the "
            "list on the Models page."
        )
    for model in chain:
        _refuse_unfit(project, model, Role.CAPTIONER)
    scorer = hash_of(scorer_recipe(recipe))
    adopted = threshold_in_force(project, scorer)
    return {
        "scorer": scorer,
        "threshold": adopted.value if adopted else DEFAULT_THRESHOLD,
        "chain": [model_recipe(model) for model in chain],
    }


def _refuse_unfit(project: Project, model: ModelSpec, role: Role) -> None:
    if model.project_id != project.pk or not model.is_active:
        raise InferenceError(f"{model.name} is not among this project's models in use.")
    if not has_role(model, role):
        raise InferenceError(f"{model.name} is no {role}. Choose a model that is one.")
    settings = model_settings(model)
    refuse_unlisted(settings.backend, settings.model_id, settings.parameters)


def _refuse_unfinished(
    project: Project, kind: str, recipe_hash: str, subjects: Sequence[Subject]
) -> None:
    if kind != Kind.FUSE:
        return
    keys = {subject.pk: item_key(recipe_hash, *subject.inputs) for subject in subjects}
    done = _done_before(list(keys.values()))
    to_do = [subject for subject in subjects if keys[subject.pk] not in done]
    if unfinished := unfinished_captions(project, kind, to_do):
        raise UnfinishedCaptions(f"{unfinished.sentence} Nothing was started.")


def refuse_twice(project: Project, recipe_hash: str) -> None:
    """Raises InferenceError where a run of the very same recipe is going on."""
    twin = InferenceRun.objects.filter(
        project=project, recipe_hash=recipe_hash, state=State.RUNNING
    ).first()
    if twin is not None:
        raise InferenceError(f"The very same run is going on: run {twin.pk}. Nothing was started.")


def missing(
    project: Project, kind: str, model: ModelSpec | None, subjects: Sequence[Subject]
) -> list[Subject]:
    done = RunItem.objects.filter(
        run__project=project, run__kind=kind, run__model=model, state=RunItem.State.DONE
    )
    fields = {subject.field for subject in subjects}
    have = {field: set(done.values_list(field, flat=True)) for field in fields}
    return [subject for subject in subjects if subject.pk not in have[subject.field]]


def _plan_items(run: InferenceRun, subjects: Sequence[Subject]) -> int:
    """Write the items, shortest subject first; returns how many are to be worked on."""
    keys = [item_key(run.recipe_hash, *subject.inputs) for subject in subjects]
    done = _done_before(keys)
    ordered = sorted(zip(subjects, keys, strict=True), key=lambda pair: pair[0].length)
    items = [
        RunItem(
            run=run,
            position=position,
            key=key,
            state=RunItem.State.REUSED if key in done else RunItem.State.WAITING,
            reused_id=done.get(key),
            **{f"{subject.field}_id": subject.pk},
        )
        for position, (subject, key) in enumerate(ordered, 1)
    ]
    RunItem.objects.bulk_create(items, batch_size=AT_ONCE)
    return sum(item.state == RunItem.State.WAITING for item in items)


def _done_before(keys: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(keys), AT_ONCE):
        done = RunItem.objects.filter(
            key__in=keys[start : start + AT_ONCE], state=RunItem.State.DONE
        )
        found.update(done.values_list("key", "pk"))
    return found


def _queue(kind: str, model: ModelSpec | None, recipe: Mapping[str, Any]) -> str:
    if model is None:
        return QUEUE_OF_SEGMENTATION
    used = [info(model).queue, *(BACKENDS[m["backend"]].queue for m in recipe.get("chain", []))]
    return "gpu" if "gpu" in used else used[0]


def nothing_to_do(project: Project, recipe: Mapping[str, Any], only_missing: bool) -> str:
    if only_missing:
        return "Nothing is missing: this model has done all of it. Start without “only missing”."
    kind = Kind(recipe["kind"])
    if kind == Kind.REFINE and project.quality_scores.filter(scorer=recipe["scorer"]).exists():
        return f"Every scored caption reaches {recipe['threshold']:g}. There is nothing to refine."
    return {
        Kind.SEGMENT: "There is no video yet. Import videos first.",
        Kind.CAPTION: "There is no clip yet. Import videos first.",
        Kind.EMBED: "There is nothing to embed yet. Import videos, or run captions first.",
        Kind.SCORE: "No clip has a caption yet. Run captions first.",
        Kind.REFINE: "No caption has a score made this way. Run score with the same model and "
        "settings first.",
        Kind.FUSE: "No video is cut into clips yet. Run segmentation and captions first.",
    }[kind]
