"""Modifications: written by models, checked while somebody types, asked for again."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.content import storable
from annotate.errors import AnnotateError
from inference.registry import Role
from review import access
from review.errors import ReviewError
from review.modifications.page import modifications_context, runs_context
from review.modifications.work_page import warnings_about
from review.pairs.forms import WriteForm, models_with
from review.services.modification_runs import start_modification_run, stop_modification_run
from review.services.modifications import ask_again as ask_direction_again
from review.services.modifications import direction_of


@require_GET
def modifications(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.judge(request, slug)
    context = modifications_context(membership, request.GET)
    return render(request, "review/modifications.html", context)


@require_GET
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """How far the runs are; once none goes on, the page is to be loaded anew."""
    membership = access.judge(request, slug)
    context = runs_context(membership)
    response = render(request, "review/partials/modification_runs.html", context)
    if not context["is_writing"]:
        response["HX-Refresh"] = "true"
    return response


@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    writers = models_with(Role.TEXT, membership.project_id)
    form = WriteForm(request.POST, models=writers)
    if not form.is_valid():
        context = modifications_context(membership, request.GET, form=form)
        return render(request, "review/modifications.html", context, status=422)
    try:
        start_modification_run(project=membership.project, admin=request.user, **form.cleaned_data)
    except ReviewError as error:
        messages.error(request, str(error))
    return redirect("review:modifications", slug)


@require_POST
def stop(request: HttpRequest, slug: str, writing_id: int) -> HttpResponse:
    _, run = access.modification_run(request, slug, writing_id)
    try:
        stop_modification_run(run=run, admin=request.user)
    except ReviewError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Stopped. The texts that are written stay.")
    return redirect("review:modifications", slug)


@require_POST
def ask_again(request: HttpRequest, slug: str, direction_id: int) -> HttpResponse:
    _, item = access.modify_item(request, slug, direction_id)
    try:
        ask_direction_again(item_id=item.pk, admin=request.user)
    except ReviewError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "One more person is asked for it.")
    return redirect("review:modifications", slug)


@require_POST
def check(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """What makes the typed text unclear, as the partial."""
    assignment = access.own_modification(request, assignment_id)
    try:
        direction = direction_of(assignment.item)
    except AnnotateError:
        return render(request, "review/partials/modification_warnings.html", {"warnings": []})
    warnings = warnings_about(direction, storable(request.POST.get("text", "")))
    return render(request, "review/partials/modification_warnings.html", {"warnings": warnings})
