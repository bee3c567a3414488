"""Start a run: choose kind, model and settings, and preview it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.errors import Refused
from annotate.models import Project
from inference import access, words
from inference.errors import InferenceError, UndecidedVideos, UnfinishedCaptions
from inference.models import InferenceRun
from inference.planning.presets import paper_of_presets
from inference.runs.forms import RunForm
from inference.runs.new_run_page import (
    NamedPreset,
    chosen_preview,
    lovr_score_preset,
    missing_first,
    models_in_use,
    newest_scored,
    options_like,
    stale_words,
    takes_long_to_count,
)
from inference.runs.next_run import NextRun, Setup, due_run, runs_ahead, set_up
from inference.runs.services import ROLE_OF_KIND, start_run

# The kinds for which a model may require certain frames.
FRAMES_CHOSEN = (InferenceRun.Kind.CAPTION, InferenceRun.Kind.EMBED)


@require_http_methods(["GET", "POST"])
def new_run(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    context: dict[str, Any] = {"project": membership.project, "membership": membership}
    kind = request.GET.get("kind", "")
    if kind not in words.KINDS:
        context |= {"kinds": words.KINDS, "ahead": runs_ahead(membership.project)}
        return render(request, "inference/runs/run_kinds.html", context)
    following = _following(request, membership.project, kind)
    like = _like(request, membership.project, kind, following)
    preset = None
    if kind == InferenceRun.Kind.SCORE and request.GET.get("preset") == "lovr":
        preset = lovr_score_preset(models_in_use(membership.project))
    form = _form(request, membership.project, kind, like, following, preset)
    if request.method == "POST" and form.is_valid():
        try:
            run = start_run(
                project=membership.project,
                kind=kind,
                model=form.chosen_model,
                options=form.chosen_options,
                only_missing=form.cleaned_data["only_missing"],
                joins_unfinished=form.cleaned_data.get("joins_unfinished", False),
                captions_undecided=form.cleaned_data.get("captions_undecided", False),
                counts_again=form.cleaned_data.get("counts_again", False),
                scope=form.chosen_scope,
                admin=request.user,
            )
        except UnfinishedCaptions as error:
            form.add_error("joins_unfinished", f"{error} Tick this to join them anyway.")
        except UndecidedVideos as error:
            again = "Tick this to caption them anyway."
            form.add_error("captions_undecided", f"{error} {again}")
        except Refused as error:
            missing = missing_first(membership.project, form.chosen_options)
            form.add_error(None, missing or str(error))
        else:
            messages.success(request, f"{words.KINDS[kind].label} run {run.pk} is started.")
            return redirect("inference:run", slug, run.pk)
    context |= {"form": form, "key": kind, "kind": words.KINDS[kind], "following": following}
    context |= {"preset": preset, "has_preset": kind == InferenceRun.Kind.SCORE}
    context["paper"] = paper_of_presets(membership.project, kind) or words.KINDS[kind].paper
    context |= {"like": like.run, "takes_sampling": kind in FRAMES_CHOSEN}
    # If the form has errors, the top of the page says why nothing is counted.
    if not form.errors:
        is_long = takes_long_to_count(membership.project)
        context |= {"counting": True} if is_long else _preview(membership.project, form)
    status = 422 if request.method == "POST" else 200
    return render(request, "inference/runs/run_new.html", context, status=status)


@require_POST
def preview(request: UserRequest, slug: str) -> HttpResponse:
    """Return the preview of the filled-in form; the page requests it at every change."""
    membership = access.admin(request, slug)
    kind = request.GET.get("kind", "")
    if kind not in words.KINDS:
        kind = InferenceRun.Kind.CAPTION
    like = _like(request, membership.project, kind, None)
    form = _form(request, membership.project, kind, like)
    context = {"project": membership.project, "kind": words.KINDS[kind], "apart": True}
    context |= _preview(membership.project, form)
    return render(request, "inference/runs/run_counted.html", context)


@dataclass(frozen=True)
class Following:
    """The run that the protocol needs next, and the form's initial values."""

    run: NextRun
    setup: Setup


def _following(request: UserRequest, project: Project, kind: str) -> Following | None:
    """Return the next run of this kind, if the form is to be set up for it."""
    if "next" not in request.GET or request.method != "GET":
        return None
    run = due_run(project, kind, request.GET.get("of", ""))
    return Following(run, set_up(project, run, models_in_use(project))) if run else None


@dataclass(frozen=True)
class Like:
    """The keys of an earlier run whose settings the form begins with, and of its model, or ""."""

    run: str = ""
    model: str = ""


def _like(request: UserRequest, project: Project, kind: str, following: Following | None) -> Like:
    """Return what the address says; a refine run otherwise begins like the newest scores."""
    run, model = request.GET.get("like", ""), request.GET.get("model", "")
    if run or following or request.method != "GET" or kind != InferenceRun.Kind.REFINE:
        return Like(run, model)
    newest = newest_scored(project)
    return Like(str(newest.pk), model or str(newest.model_id or "")) if newest else Like("", model)


def _form(
    request: UserRequest,
    project: Project,
    kind: str,
    begun: Like,
    following: Following | None = None,
    preset: NamedPreset | None = None,
) -> RunForm:
    model = begun.model
    like = preset.options if preset else options_like(project, kind, begun.run)
    if following:
        model = model or str(following.setup.model or "")
        like = like or following.setup.options
    initial = {"model": model} if model else {}
    if following:
        initial["scope"] = following.run.need.scope
    return RunForm(
        request.POST if request.method == "POST" else None,
        project=project,
        kind=kind,
        role=ROLE_OF_KIND.get(kind),
        models=models_in_use(project),
        like=like,
        initial=initial,
    )


def _preview(project: Project, form: RunForm) -> dict[str, Any]:
    """Return the preview, or a sentence with the reason why it is missing."""
    try:
        preview = chosen_preview(project, form)
    except InferenceError as error:
        return {"refused": str(error)}
    options = form.chosen_options if form.is_bound else form.start_options
    return {
        "preview": preview,
        "outdates": stale_words(preview),
        "missing_first": "" if preview.total else missing_first(project, options),
    }
