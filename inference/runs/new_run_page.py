"""The data of the page that starts a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Caption, Clip, Project
from inference import words
from inference.errors import InferenceError
from inference.models import InferenceRun, ModelSpec
from inference.planning.presets import lovr_score_options, options_for
from inference.recipes import try_recipe, try_stated
from inference.runs.forms import RunForm
from inference.runs.preview import Preview, preview_run

# Above this, counting takes seconds, so the page loads without the count and requests it later.
MAX_COUNTED_AT_ONCE = 3000
CHOOSE_MODEL = "Choose a model to see how much it would do."


def takes_long_to_count(project: Project) -> bool:
    return Clip.objects.filter(project=project).count() > MAX_COUNTED_AT_ONCE


def models_in_use(project: Project) -> list[ModelSpec]:
    return list(ModelSpec.objects.filter(project=project, is_active=True).order_by("name"))


def options_like(project: Project, kind: str, run_key: str) -> Mapping[str, Any] | None:
    """Return the options of an earlier run of this kind, as initial values; None if they can't be
    read. A refine run can begin like a score run, because thresholds depend on how it scored.
    """
    if not run_key.isdecimal():
        return None
    kinds = _kinds_like(kind)
    run = InferenceRun.objects.filter(project=project, kind__in=kinds, pk=run_key).first()
    recipe = try_recipe(run.recipe)[0] if run else None
    if not run or not recipe:
        return None
    if run.kind == kind:
        return recipe.options
    own = options_for(project, kind).as_dict()
    return own | {name: value for name, value in recipe.options.items() if name in own}


def _kinds_like(kind: str) -> list[str]:
    is_refine = kind == InferenceRun.Kind.REFINE
    return [kind, InferenceRun.Kind.SCORE] if is_refine else [kind]


def newest_scored(project: Project) -> InferenceRun | None:
    """Return the run whose scores a refine run begins with: the newest that refined captions of
    clips or scored them.
    """
    kinds = _kinds_like(InferenceRun.Kind.REFINE)
    runs = InferenceRun.objects.filter(project=project, kind__in=kinds)
    newest = runs.exclude(state=InferenceRun.State.CANCELLED).order_by("-pk")[:20]
    return next((run for run in newest if try_stated(run.recipe).of != "full_video"), None)


@dataclass(frozen=True)
class NamedPreset:
    """The settings of a preset, null if they can't be had, and a sentence about them."""

    options: Mapping[str, Any] | None
    sentence: str


def lovr_score_preset(models: Sequence[ModelSpec]) -> NamedPreset:
    try:
        options = lovr_score_options(models)
    except InferenceError as error:
        return NamedPreset(None, str(error))
    names = {spec.pk: spec.name for spec in models}
    compared = (
        f"regions by {names[options.detector]}"
        if options.detector
        else "whole frames, because no object detector is in use"
    )
    return NamedPreset(
        options.as_dict(),
        "LoVR prints no settings; these are those of the code of EVQAScore v3: keywords by "
        f"{names[options.keyword_model]}, {options.sampling}, {compared}.",
    )


def chosen_preview(project: Project, form: RunForm) -> Preview:
    """Preview the run of the filled-in form. Raises InferenceError if it is impossible."""
    if form.is_bound and not form.is_valid():
        raise InferenceError(_refusal(form))
    if form.is_bound:
        options, model = form.chosen_options, form.chosen_model
        only_missing = form.cleaned_data["only_missing"]
        counts_again = form.cleaned_data.get("counts_again", False)
    else:
        options, model = form.start_options, form.start_model
        only_missing = counts_again = False
    if "model" in form.fields and model is None:
        raise InferenceError(CHOOSE_MODEL)
    return preview_run(
        project=project,
        kind=form.kind,
        model=model,
        options=options,
        only_missing=only_missing,
        counts_again=counts_again,
        scope=form.chosen_scope,
    )


def _refusal(form: RunForm) -> str:
    if list(form.errors) == ["model"]:
        return CHOOSE_MODEL
    mends = " ".join(f"{label}: {mend}" for label, mend in form.wrong)
    return f"Fix the marked fields first. {mends}" if mends else str(form.non_field_errors()[0])


# What is embedded -> the captions required, and their origin.
_NEEDED: Mapping[str, tuple[str, str]] = {
    "full_video": (
        Caption.Kind.FULL_VIDEO,
        "No video has a caption of the whole video yet. Run fuse first.",
    ),
    "spatial": (Caption.Kind.SPATIAL, "No clip has a spatial caption yet: people split them."),
    "temporal": (Caption.Kind.TEMPORAL, "No clip has a temporal caption yet: people split them."),
}


def missing_first(project: Project, options: Mapping[str, Any]) -> str:
    """Return what to run first so that these options have anything to work on, if they determine
    it.
    """
    needed = _NEEDED.get(options.get("of", ""))
    if needed is None or Caption.objects.filter(project=project, kind=needed[0]).exists():
        return ""
    return needed[1]


def stale_words(preview: Preview) -> list[tuple[int, str]]:
    counts = sorted(preview.outdates.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(number, words.WHY_STALE[why]) for why, number in counts]
