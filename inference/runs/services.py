"""Start a run, described by a recipe. A worker plans it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction

from annotate.audit import record_event
from annotate.jobs.services.starting import start_job
from annotate.models import Project, User
from inference.allowed_models import refuse_unlisted
from inference.cut_detectors import TRANSNETV2
from inference.errors import InferenceError, UndecidedVideos, UnfinishedCaptions
from inference.models import InferenceRun, ModelSpec, RunItem, RunParameters
from inference.planning.due import refuse_scope
from inference.planning.options import (
    CaptionOptions,
    EmbedOptions,
    RefineOptions,
    ScoreOptions,
    SegmentOptions,
    ThemeOptions,
)
from inference.planning.plans import has_subjects, nothing_to_do
from inference.planning.presets import options_for
from inference.planning.recipes import hash_of, make_recipe, model_recipe, scorer_recipe
from inference.planning.typed_options import Options
from inference.planning.undecided import undecided_to_caption
from inference.planning.unfinished import unfinished_captions
from inference.planning.word_counts import with_word_counts
from inference.queries import DEFAULT_THRESHOLD, current_threshold, cut_videos
from inference.recipes import ModelRecipe, Recipe, RefineRecipe, ScoreRecipe, as_json
from inference.registry import (
    Role,
    backend_info,
    checked_parameters,
    has_role,
    info,
    model_settings,
)
from inference.runs.usage import current_prices
from inference.sampling import Sampling

Kind = InferenceRun.Kind
ROLE_OF_KIND: Mapping[str, Role] = {
    Kind.THEME: Role.CAPTIONER,
    Kind.CAPTION: Role.CAPTIONER,
    Kind.EMBED: Role.ENCODER,
    Kind.SCORE: Role.ENCODER,
    Kind.REFINE: Role.ENCODER,
    Kind.FUSE: Role.JOINER,
}
# Segmentation without a model only decodes, so it uses the queue of video imports.
QUEUE_OF_SEGMENTATION = "media"


def fits_kind(model: ModelSpec, kind: str) -> bool:
    """Return whether the model can do this kind of run."""
    return has_role(model, ROLE_OF_KIND[Kind(kind)])


@transaction.atomic
def start_run(
    *,
    project: Project,
    kind: str,
    model: ModelSpec | None = None,
    options: Mapping[str, Any] | None = None,
    only_missing: bool = False,
    joins_unfinished: bool = False,
    captions_undecided: bool = False,
    counts_again: bool = False,
    scope: str = "",
    admin: User | None = None,
) -> InferenceRun:
    """Start a run, which a worker plans; earlier results of the same recipe are reused.

    `only_missing` leaves out subjects that any recipe of this kind and model has done, and `scope`
    those that the protocol doesn't need this run for (`inference.planning.due`). With
    `counts_again` TF-IDF counts words in the current captions, which makes another scorer. Nothing
    is stored on an error. Raises InferenceError if the model can't do it, or if there is nothing to
    work on. Raises UnfinishedCaptions if it would join captions that wait for people and
    `joins_unfinished` is false, as far as that is known without reading captions, and
    UndecidedVideos if it would describe videos about which people disagree and `captions_undecided`
    is false. Raises JobInProgress while an identical run is active.
    """
    chosen = options_for(project, kind, options)
    recipe = build_recipe(
        project=project, kind=kind, model=model, options=chosen, counts_again=counts_again
    )
    refuse_scope(kind, scope)
    if not has_subjects(project, recipe):
        raise InferenceError(nothing_to_do(project, recipe, only_missing=False))
    if kind == Kind.FUSE and not joins_unfinished:
        _refuse_unfinished(project, recipe)
    if not captions_undecided:
        _refuse_undecided(project, recipe, scope)
    run = start_job(
        InferenceRun(
            project=project,
            kind=kind,
            lane=hash_of(recipe),
            title=model.name if model else "",
            model=model,
            recipe=as_json(recipe),
            recipe_hash=hash_of(recipe),
            only_missing=only_missing,
            parameters=as_json(
                RunParameters(
                    joins_unfinished,
                    captions_undecided,
                    scope=scope,
                    prices=current_prices(recipe),
                )
            ),
            queue=_queue(recipe),
            created_by=admin,
        )
    )
    record_event(
        actor=admin,
        verb="start run",
        subject=run,
        project=project,
        after={"kind": kind, "model": str(model or ""), "recipe": run.recipe_hash},
    )
    return run


def build_recipe(
    *,
    project: Project,
    kind: str,
    model: ModelSpec | None,
    options: Options,
    counts_again: bool = False,
) -> Recipe:
    """Return the recipe that `start_run` would store. Raises InferenceError."""
    if isinstance(options, SegmentOptions):
        return _cutting(project, options, model)
    if model is None:
        raise InferenceError(f"Choose the model for this {kind} run.")
    _refuse_unfit(project, model, ROLE_OF_KIND[Kind(kind)])
    options = _fitting(options, model)
    recipe = make_recipe(kind, options, model=model)
    if not isinstance(options, ScoreOptions):
        return recipe
    scored = ScoreRecipe(
        **vars(recipe),
        keyword_model=_second_model(project, options.keyword_model, Role.TEXT),
        detector=_second_model(project, options.detector, Role.DETECTOR),
    )
    if scored.keyword_model is None:
        scored = with_word_counts(project, scored, counts_again=counts_again)
    return _refining(project, scored, options) if isinstance(options, RefineOptions) else scored


def _cutting(project: Project, options: SegmentOptions, model: ModelSpec | None) -> Recipe:
    """Return the recipe of a segment run, which has a model if it cuts by TransNetV2."""
    if options.cut_detector == TRANSNETV2:
        if model is None:
            raise InferenceError(
                "Choose the model for TransNetV2. On the page Models, add one of this kind."
            )
        _refuse_unfit(project, model, Role.CUTTER)
    elif model is not None:
        raise InferenceError(
            "Segmentation needs no model. Leave the model out, or set cut_detector to transnetv2."
        )
    return make_recipe(Kind.SEGMENT, options, model=model)


def _fitting(options: Options, model: ModelSpec) -> Options:
    """Return the options, with the model's own frames if it works only with these.

    Raises InferenceError if the model would see fewer frames, or smaller ones, than chosen.
    """
    needs = info(model)
    if isinstance(options, CaptionOptions):
        _refuse_more_than_sent(model, options.sampling, options.longest_side)
    if isinstance(options, CaptionOptions | EmbedOptions | ThemeOptions) and needs.sampling:
        options = replace(options, sampling=needs.sampling)
    if isinstance(options, CaptionOptions | ThemeOptions) and needs.longest_side:
        options = replace(options, longest_side=needs.longest_side)
    return options


def _refuse_more_than_sent(model: ModelSpec, sampling: Sampling, longest_side: int) -> None:
    """Refuse frames that the model's server would leave out or reduce without a word."""
    parameters = checked_parameters(model.backend, model.parameters)
    most_frames = parameters.get("max_frames")
    chosen = sampling.most_frames
    if most_frames is not None and chosen is not None and chosen > most_frames:
        raise InferenceError(
            f"{model.name} gets at most {most_frames} frames of a clip, but the run chooses up to "
            f"{chosen}. Choose fewer frames, or a model with a higher max_frames."
        )
    largest = parameters.get("longest_side")
    if largest is not None and longest_side > largest:
        raise InferenceError(
            f"{model.name} gets frames of at most {largest} pixels, but the run chooses "
            f"{longest_side}. Choose smaller frames, or a model with a higher longest_side."
        )


def _second_model(project: Project, key: int, role: Role) -> ModelRecipe | None:
    """Return the model of this key, which works beside the encoder; None for the key 0."""
    if not key:
        return None
    model = ModelSpec.objects.filter(project=project, pk=key, is_active=True).first()
    if model is None:
        raise InferenceError(f"The {role} is gone. Choose another one.")
    _refuse_unfit(project, model, role)
    return model_recipe(model)


def _refining(project: Project, recipe: ScoreRecipe, options: RefineOptions) -> RefineRecipe:
    chain = list(
        ModelSpec.objects.filter(
            project=project, is_active=True, refine_order__isnull=False
        ).order_by("refine_order")
    )
    if not chain:
        raise InferenceError(
            "The refinement order is empty. On the page Models, add at least one model that "
            "describes clips."
        )
    for model in chain:
        _refuse_unfit(project, model, Role.CAPTIONER)
        _refuse_more_than_sent(model, options.caption_sampling, options.longest_side)
    scorer = hash_of(scorer_recipe(recipe))
    adopted = current_threshold(project, scorer)
    return RefineRecipe(
        **vars(recipe),
        scorer=scorer,
        threshold=adopted.value if adopted else DEFAULT_THRESHOLD,
        chain=[model_recipe(model) for model in chain],
    )


def _refuse_unfit(project: Project, model: ModelSpec, role: Role) -> None:
    if model.project_id != project.pk or not model.is_active:
        raise InferenceError(f"{model.name} is not among this project's models in use.")
    if not has_role(model, role):
        raise InferenceError(f"{model.name} can’t be used as {role}. Choose another model.")
    settings = model_settings(model)
    refuse_unlisted(settings.backend, settings.model_id, settings.parameters)


def _refuse_unfinished(project: Project, recipe: Recipe) -> None:
    """Refuse if a video that this recipe has never joined has captions that wait for people. If it
    has joined the video, the planning worker, which reads captions, checks whether they have
    changed.
    """
    joined = RunItem.objects.filter(
        run__project=project, run__recipe_hash=hash_of(recipe), state=RunItem.State.DONE
    )
    videos = cut_videos(project).exclude(video__in=joined.values("video"))
    if unfinished := unfinished_captions(project, set(videos.values_list("video", flat=True))):
        raise UnfinishedCaptions(f"{unfinished.sentence} Nothing was started.")


def _refuse_undecided(project: Project, recipe: Recipe, scope: str) -> None:
    undecided = undecided_to_caption(project, recipe, scope)
    if undecided.videos:
        raise UndecidedVideos(f"{undecided.sentence} Nothing was started.")


def _queue(recipe: Recipe) -> str:
    queues = [backend_info(model.backend).queue for model in recipe.models if model]
    if not queues:
        return QUEUE_OF_SEGMENTATION
    return "gpu" if "gpu" in queues else queues[0]
