"""Views of a project's models: list, add, change and retire."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.models import Membership
from annotate.refusals import refusal_in, refusal_shown
from inference import access
from inference.registry import BACKENDS, Backend, backend_info
from inference.specs import services as specs
from inference.specs.forms import ModelForm
from inference.specs.pages import backends, models_context
from inference.specs.served_families import SERVED_FAMILIES


@require_GET
def models(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    context = models_context(membership.project) | {"membership": membership}
    return render(request, "inference/specs/models.html", context)


@require_POST
def add_built_in(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    with refusal_shown(request):
        added = specs.add_built_in_models(project=membership.project, admin=request.user)
        names = ", ".join(spec.name for spec in added)
        messages.success(request, f"Added: {names}." if added else "All are already in the list.")
    return redirect("inference:models", slug)


@require_http_methods(["GET", "POST"])
def new_model(request: UserRequest, slug: str) -> HttpResponse:
    """Choose a backend, then fill in the form with its fields."""
    membership = access.admin(request, slug)
    backend = request.GET.get("backend", "")
    if backend not in BACKENDS:
        context = {"backends": backends(), "project": membership.project, "membership": membership}
        return render(request, "inference/specs/model_backends.html", context)
    served = SERVED_FAMILIES if backend == Backend.OPENAI_COMPATIBLE else {}
    family = served.get(request.GET.get("family", ""))
    form = ModelForm(request.POST or None, backend=backend, family=family)
    if request.method == "POST" and form.is_valid():
        with refusal_in(form, "name"):
            spec = specs.add_model(
                project=membership.project,
                backend=backend,
                admin=request.user,
                **form.values,
                description=form.description,
            )
            can_run = bool(backend_info(backend).roles)
            messages.success(
                request, f"{spec.name} {'can be used in runs now' if can_run else 'is added'}."
            )
            return redirect("inference:models", slug)
    context = {"served_families": served, "family": family}
    return _form_page(request, membership, form, context)


@require_http_methods(["GET", "POST"])
def model(request: UserRequest, slug: str, model_id: int) -> HttpResponse:
    """Change a model; a change that outdates results must be confirmed first."""
    membership, spec = access.model_spec(request, slug, model_id)
    spec.project = membership.project
    form = ModelForm(request.POST or None, backend=spec.backend, spec=spec)
    context: dict[str, Any] = {"spec": spec}
    if request.method == "POST" and form.is_valid():
        outdated = specs.count_outdated_by(spec=spec, **form.values)
        if outdated and form.cleaned_data["confirmed"] != str(outdated):
            context["outdated"] = outdated
            return _form_page(request, membership, form, context)
        with refusal_in(form, "name"):
            specs.change_model(
                spec=spec, admin=request.user, description=form.description, **form.values
            )
            messages.success(request, f"{form.values['name']} is saved.")
            return redirect("inference:models", slug)
    return _form_page(request, membership, form, context)


@require_POST
def use(request: UserRequest, slug: str, model_id: int) -> HttpResponse:
    """Retire a model, or undo that (`in_use=1`)."""
    _, spec = access.model_spec(request, slug, model_id)
    in_use = request.POST.get("in_use") == "1"
    specs.set_in_use(spec=spec, in_use=in_use, admin=request.user)
    state = "can be used in runs again" if in_use else "is retired. Its results stay"
    messages.success(request, f"{spec.name} {state}.")
    return _back_to(slug, f"model-{spec.pk}")


@require_POST
def place(request: UserRequest, slug: str, model_id: int) -> HttpResponse:
    _, spec = access.model_spec(request, slug, model_id)
    with refusal_shown(request):
        specs.place_model(spec=spec, move=request.POST.get("move", ""), admin=request.user)
    return _back_to(slug, f"place-{spec.pk}")


def _back_to(slug: str, place: str) -> HttpResponse:
    """Redirect to the list of models, with the focus in the changed row."""
    return redirect(f"{reverse('inference:models', args=[slug])}#{place}")


def _form_page(
    request: UserRequest,
    membership: Membership,
    form: ModelForm,
    context: dict[str, Any] | None = None,
) -> HttpResponse:
    status = 422 if request.method == "POST" else 200
    context = (context or {}) | {
        "form": form,
        "project": membership.project,
        "membership": membership,
    }
    return render(request, "inference/specs/model_form.html", context, status=status)
