"""What the pages about models show."""

from __future__ import annotations

from itertools import chain
from typing import Any

from annotate.models import Project
from inference import words
from inference.errors import InferenceError
from inference.models import InferenceRun, ModelSpec, RefineAttempt
from inference.registry import BACKENDS, Backend, Role, checked_parameters, info

Kind = InferenceRun.Kind


def models_context(project: Project) -> dict[str, Any]:
    models = list(ModelSpec.objects.filter(project=project).order_by("-is_active", "name"))
    runs = _runs_of_models(project)
    for spec in models:
        spec.run_count = len(runs.get(spec.pk, ()))
        spec.info = info(spec)
        spec.can = [words.CAN[role] for role in Role if role in spec.info.roles]
        spec.told = _told(spec)
    captioners = [spec for spec in models if spec.is_active and Role.CAPTIONER in spec.info.roles]
    listed = sorted(
        (spec for spec in captioners if spec.refine_order is not None),
        key=lambda spec: spec.refine_order,
    )
    return {
        "project": project,
        "models": models,
        "refine_list": listed,
        "not_in_list": [spec for spec in captioners if spec.refine_order is None],
    }


def _runs_of_models(project: Project) -> dict[int, set[int]]:
    """The runs in which each model had a part, by their keys: as the main one, with keywords, or
    writing captions again."""
    runs = InferenceRun.objects.filter(project=project)
    parts = [
        runs.exclude(model=None).values_list("model", "pk"),
        runs.filter(kind__in=[Kind.SCORE, Kind.REFINE]).values_list(
            "recipe__options__keyword_model", "pk"
        ),
        RefineAttempt.objects.filter(item__run__project=project)
        .order_by()
        .values_list("model", "item__run")
        .distinct(),
    ]
    found: dict[int, set[int]] = {}
    for model, run in chain.from_iterable(parts):
        found.setdefault(model, set()).add(run)
    return found


def backends() -> list[dict[str, Any]]:
    """What can be added, in the registry's order."""
    return [
        {
            "key": Backend(key).value,
            "label": backend.label,
            "says": backend.says,
            "can": [words.CAN[role] for role in Role if role in backend.roles],
        }
        for key, backend in BACKENDS.items()
    ]


def _told(spec: ModelSpec) -> list[tuple[str, Any]]:
    """The parameters that are not as the backend has them anyway."""
    try:
        parameters = checked_parameters(spec.backend, spec.parameters)
    except InferenceError:
        parameters = dict(spec.parameters)
    usual = {parameter.name: parameter.default for parameter in spec.info.parameters}
    return [
        (name.replace("_", " "), value)
        for name, value in parameters.items()
        if value != usual.get(name)
    ]
