"""What the pages about models show."""

from __future__ import annotations

from typing import Any

from django.db.models import Count

from annotate.models import Project
from inference import words
from inference.errors import InferenceError
from inference.models import ModelSpec
from inference.registry import BACKENDS, Backend, Role, checked_parameters, info


def models_context(project: Project) -> dict[str, Any]:
    models = list(
        ModelSpec.objects.filter(project=project)
        .annotate(run_count=Count("runs"))
        .order_by("-is_active", "name")
    )
    for spec in models:
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
