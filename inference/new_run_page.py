"""What the page that starts a run needs to know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.models import Clip, Project
from inference import words
from inference.errors import InferenceError
from inference.forms.runs import RunForm
from inference.models import InferenceRun, ModelSpec
from inference.registry import info
from inference.run_preview import Preview, preview_run

# Above this the count takes seconds, so the page comes without it and asks for it.
COUNTED_AT_ONCE = 3000


def takes_long_to_count(project: Project) -> bool:
    return Clip.objects.filter(project=project).count() > COUNTED_AT_ONCE


def models_in_use(project: Project) -> list[ModelSpec]:
    models = list(ModelSpec.objects.filter(project=project, is_active=True).order_by("name"))
    for spec in models:
        spec.info = info(spec)
    return models


def options_like(project: Project, kind: str, run_key: str) -> Mapping[str, Any] | None:
    """The options of an earlier run of this kind, to start from."""
    if not run_key.isdecimal():
        return None
    run = InferenceRun.objects.filter(project=project, kind=kind, pk=run_key).first()
    return run.recipe["options"] if run else None


def chosen_preview(project: Project, form: RunForm) -> Preview:
    """What the form would start as it is filled in. Raises InferenceError where it can't be."""
    if form.is_bound and not form.is_valid():
        refusals = form.non_field_errors()
        raise InferenceError(refusals[0] if refusals else "Mend what is marked first.")
    if form.is_bound:
        options, model = form.chosen_options, form.chosen_model
        only_missing = form.cleaned_data["only_missing"]
    else:
        options, model, only_missing = form.start_options, form.start_model, False
    if "model" in form.fields and model is None:
        raise InferenceError("Choose a model to see how much it would do.")
    return preview_run(
        project=project, kind=form.kind, model=model, options=options, only_missing=only_missing
    )


def stale_words(preview: Preview) -> list[tuple[int, str]]:
    counts = sorted(preview.outdates.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(number, words.WHY_STALE[why]) for why, number in counts]
