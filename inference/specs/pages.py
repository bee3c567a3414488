"""The pages of models."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any

from annotate.models import Project
from inference import words
from inference.errors import InferenceError
from inference.model_facts import size_words
from inference.models import InferenceRun, ModelSpec, RefineAttempt
from inference.registry import (
    BACKENDS,
    BackendInfo,
    Role,
    checked_parameters,
    has_role,
    info,
)
from inference.specs.services import BUILT_IN

Kind = InferenceRun.Kind


@dataclass(frozen=True)
class ModelRow:
    """A model. `changed_parameters`: those that differ from the backend's defaults. `can`: its
    roles in words. `description`: its family, size, and source and license of its weights, as far
    as they are stated.
    """

    spec: ModelSpec
    info: BackendInfo
    run_count: int
    can: list[str]
    changed_parameters: list[tuple[str, Any]]

    @property
    def description(self) -> list[str]:
        size = size_words(self.spec.parameter_count)
        return [
            *filter(
                None,
                [
                    self.spec.family,
                    f"{size} parameters" if size else "",
                    self.spec.weights_source,
                    f"license {self.spec.weights_license}" if self.spec.weights_license else "",
                ],
            )
        ]


def models_context(project: Project) -> dict[str, Any]:
    models = list(ModelSpec.objects.filter(project=project).order_by("-is_active", "name"))
    runs = _runs_of_models(project)
    captioners = [spec for spec in models if spec.is_active and has_role(spec, Role.CAPTIONER)]
    listed = [spec for spec in captioners if spec.refine_order is not None]
    return {
        "project": project,
        "models": [_row(spec, len(runs.get(spec.pk, ()))) for spec in models],
        "refine_list": sorted(listed, key=lambda spec: spec.refine_order or 0),
        "not_in_list": [spec for spec in captioners if spec.refine_order is None],
        "lacks_built_in": not BUILT_IN.keys() <= {spec.backend for spec in models},
    }


def _row(spec: ModelSpec, run_count: int) -> ModelRow:
    can = [words.CAN[role] for role in Role if has_role(spec, role)]
    return ModelRow(spec, info(spec), run_count, can, _changed_parameters(spec))


def _runs_of_models(project: Project) -> dict[int, set[int]]:
    """Return the keys of each model's runs: as the main model, for keywords or regions, or for
    regenerating captions.
    """
    runs = InferenceRun.objects.filter(project=project)
    parts = [
        runs.exclude(model=None).values_list("model", "pk"),
        (
            (model, run)
            for *models, run in runs.filter(kind__in=[Kind.SCORE, Kind.REFINE]).values_list(
                "recipe__options__keyword_model", "recipe__options__detector", "pk"
            )
            for model in models
        ),
        RefineAttempt.objects.filter(item__run__project=project)
        .order_by()
        .values_list("model", "item__run")
        .distinct(),
    ]
    runs_by_model: dict[int, set[int]] = {}
    for model, run in chain.from_iterable(parts):
        runs_by_model.setdefault(model, set()).add(run)
    return runs_by_model


def backends() -> list[dict[str, Any]]:
    """Return the backends that can be added, in the registry's order."""
    return [
        {
            "key": str(key),
            "label": backend.label,
            "says": backend.says,
            "can": [words.CAN[role] for role in Role if role in backend.roles],
        }
        for key, backend in BACKENDS.items()
    ]


def _changed_parameters(spec: ModelSpec) -> list[tuple[str, Any]]:
    """Return the parameters that differ from the backend's defaults."""
    try:
        parameters = checked_parameters(spec.backend, spec.parameters)
    except InferenceError:
        parameters = dict(spec.parameters)
    usual = {parameter.name: parameter.default for parameter in info(spec).parameters}
    return [
        (name.replace("_", " "), value)
        for name, value in parameters.items()
        if value != usual.get(name)
    ]
