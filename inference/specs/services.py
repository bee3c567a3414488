"""Add, change and retire a project's models, and order the list that refines captions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from annotate.audit import record_event
from annotate.models import Project, User
from annotate.projects.services.duplicates import copies_settings
from inference.allowed_models import refuse_unlisted
from inference.errors import InferenceError
from inference.model_facts import NOT_DESCRIBED, Description
from inference.models import ModelSpec, RunItem
from inference.planning.recipes import hash_of, model_recipe
from inference.planning.staleness import mark_stale_by_model
from inference.recipes import try_recipe
from inference.registry import Role, backend_info, checked_parameters, has_role

BUILT_IN: Mapping[str, str] = {
    ModelSpec.Backend.OPENCV_DRAFT: "Measured draft",
    ModelSpec.Backend.LEXICAL: "Lexical vectors",
    ModelSpec.Backend.PLAIN_JOINER: "Plain joiner",
    ModelSpec.Backend.WORD_OVERLAP: "Word overlap",
}


@transaction.atomic
def add_model(
    *,
    project: Project,
    backend: str,
    name: str,
    model_id: str = "",
    revision: str = "",
    parameters: Mapping[str, Any] | None = None,
    description: Description = NOT_DESCRIBED,
    admin: User | None,
) -> ModelSpec:
    """Add a model. Raises InferenceError if the name is taken, or the model may not
    be loaded here.
    """
    project = Project.objects.lock(project.pk)
    spec = ModelSpec(project=project, backend=backend, **_described(backend, description))
    _set(spec, name=name, model_id=model_id, revision=revision, parameters=parameters or {})
    spec.save()
    record_event(actor=admin, verb="add model", subject=spec, project=project, after=_facts(spec))
    return spec


def _described(backend: str, description: Description) -> dict[str, Any]:
    """Return the description, completed by what is known of the backend's own weights."""
    published = asdict(backend_info(backend).weights)
    return {name: value or published[name] for name, value in asdict(description).items()}


@transaction.atomic
def add_built_in_models(*, project: Project, admin: User | None) -> list[ModelSpec]:
    """Add the models without weights that the project doesn't have yet."""
    project = Project.objects.lock(project.pk)
    have = set(project.model_specs.filter(backend__in=BUILT_IN).values_list("backend", flat=True))
    return [
        add_model(project=project, backend=backend, name=name, admin=admin)
        for backend, name in BUILT_IN.items()
        if backend not in have
    ]


@transaction.atomic
def change_model(
    *,
    spec: ModelSpec,
    name: str,
    model_id: str = "",
    revision: str = "",
    parameters: Mapping[str, Any] | None = None,
    description: Description = NOT_DESCRIBED,
    admin: User | None,
) -> int:
    """Change the model and mark results of other settings as stale. Returns their number."""
    Project.objects.lock(spec.project_id)
    spec = ModelSpec.objects.select_related("project").get(pk=spec.pk)
    before = _facts(spec)
    _set(spec, name=name, model_id=model_id, revision=revision, parameters=parameters or {})
    for name, value in _described(spec.backend, description).items():
        setattr(spec, name, value)
    after = _facts(spec)
    if after == before:
        return 0
    spec.updated_at = timezone.now()
    spec.save()
    outdated = _count_outdated(spec)
    mark_stale_by_model(spec)
    record_event(
        actor=admin,
        verb="change model",
        subject=spec,
        project=spec.project,
        before=before,
        after=after | {"results_out_of_date": outdated},
    )
    return outdated


def count_outdated_by(
    *,
    spec: ModelSpec,
    name: str,
    model_id: str = "",
    revision: str = "",
    parameters: Mapping[str, Any] | None = None,
) -> int:
    """Return how many results `change_model` with these values would mark as stale, without
    changing anything.
    """
    changed = ModelSpec(
        pk=spec.pk,
        project_id=spec.project_id,
        backend=spec.backend,
        name=name,
        model_id=model_id,
        revision=revision,
        parameters=checked_parameters(spec.backend, parameters or {}),
    )
    return _count_outdated(changed)


def _count_outdated(spec: ModelSpec) -> int:
    """Count the current results that were made with other settings of the model than `spec`, but
    not those whose recipe can't be read.
    """
    now = hash_of(model_recipe(spec))
    fresh = Count("items", filter=Q(items__state=RunItem.State.DONE, items__stale_because=""))
    runs = spec.runs.annotate(fresh=fresh).values_list("recipe", "fresh")
    made = [(try_recipe(stored)[0], number) for stored, number in runs]
    return sum(number for recipe, number in made if recipe and hash_of(recipe.model) != now)


@transaction.atomic
def set_in_use(*, spec: ModelSpec, in_use: bool, admin: User | None) -> None:
    """Retire a model, which removes it from the refinement order, or undo that."""
    Project.objects.lock(spec.project_id)
    if spec.is_active == in_use:
        return
    before = _facts(spec)
    spec.is_active = in_use
    if not in_use:
        spec.refine_order = None
    spec.updated_at = timezone.now()
    spec.save(update_fields=["is_active", "refine_order", "updated_at"])
    record_event(
        actor=admin,
        verb="bring back model" if in_use else "retire model",
        subject=spec,
        project=spec.project,
        before=before,
        after=_facts(spec),
    )


@transaction.atomic
def place_model(*, spec: ModelSpec, move: str, admin: User | None) -> None:
    """Move a captioner in the list that regenerates captions: in, out, up or down."""
    Project.objects.lock(spec.project_id)
    spec.refresh_from_db()
    if not spec.is_active or not has_role(spec, Role.CAPTIONER):
        raise InferenceError(
            f"{spec.name} can't refine captions. Choose a model in use that describes clips."
        )
    before = _refine_list(spec.project)
    after = _moved(before, spec.pk, move)
    if after == before:
        return
    # Places are unique, so free all first.
    ModelSpec.objects.filter(project=spec.project).update(refine_order=None)
    for place, key in enumerate(after, 1):
        ModelSpec.objects.filter(pk=key).update(refine_order=place)
    record_event(
        actor=admin,
        verb="order refine list",
        subject=spec,
        project=spec.project,
        before={"models": before},
        after={"models": after},
    )


def _moved(order: list[int], key: int, move: str) -> list[int]:
    others = [other for other in order if other != key]
    match move:
        case "out":
            return others
        case "in":
            return order if key in order else [*order, key]
        case "up" | "down" if key in order:
            place = max(0, order.index(key) + (-1 if move == "up" else 1))
            return [*others[:place], key, *others[place:]]
    return order


def _refine_list(project: Project) -> list[int]:
    listed = ModelSpec.objects.filter(project=project, refine_order__isnull=False)
    return list(listed.order_by("refine_order").values_list("pk", flat=True))


def _set(
    spec: ModelSpec, *, name: str, model_id: str, revision: str, parameters: Mapping[str, Any]
) -> None:
    taken = ModelSpec.objects.filter(project=spec.project, name=name).exclude(pk=spec.pk)
    if taken.exists():
        raise InferenceError(f"A model named {name} exists already. Choose another name.")
    spec.name, spec.model_id, spec.revision = name, model_id, revision
    spec.parameters = checked_parameters(spec.backend, parameters)
    refuse_unlisted(spec.backend, spec.model_id, spec.parameters)


def _facts(spec: ModelSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "backend": spec.backend,
        "model_id": spec.model_id,
        "revision": spec.revision,
        "parameters": checked_parameters(spec.backend, spec.parameters),
        **{fact.name: getattr(spec, fact.name) for fact in fields(Description)},
        "in_use": spec.is_active,
    }


@copies_settings
def copy_models(source: Project, project: Project, admin: User) -> None:
    """Add the models in use of another project, in its refinement order."""
    for spec in ModelSpec.objects.filter(project=source, is_active=True).order_by("pk"):
        spec.pk, spec.project = None, project
        spec.created_at = spec.updated_at = timezone.now()
        spec.save()
