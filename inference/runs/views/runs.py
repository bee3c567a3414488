"""Views of all runs, of one run, and of an admin's actions on it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.queueing import requeue_jobs
from annotate.lists.pages import default_address, list_menu
from annotate.models import Membership, SavedView
from annotate.refusals import refusal_shown
from annotate.text.storable import storable
from inference import access
from inference.runs.list_page import COLUMNS, runs_context
from inference.runs.pages import run_context, run_details

VIEWS = SavedView.ListName.RUNS


@require_GET
def runs(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    if default := default_address(membership, VIEWS, request.GET):
        return redirect(default)
    return render(request, "inference/runs/runs.html", _list_context(request, membership))


@require_GET
def runs_live(request: UserRequest, slug: str) -> HttpResponse:
    """Return only the list, which the page polls while a run is active."""
    context = _list_context(request, access.admin(request, slug))
    return render(request, "inference/runs/run_rows.html", context)


@require_GET
def run(request: UserRequest, slug: str, run_id: int) -> HttpResponse:
    membership, run = access.run(request, slug, run_id)
    context = run_context(membership.project, run, *_place(request)) | run_details(run)
    return render(request, "inference/runs/run.html", context | {"membership": membership})


@require_GET
def run_live(request: UserRequest, slug: str, run_id: int) -> HttpResponse:
    """Return the changing parts of the run's page, which it polls while the run is active."""
    membership, run = access.run(request, slug, run_id)
    context = run_context(membership.project, run, *_place(request)) | {"apart": True}
    return render(request, "inference/runs/run_live.html", context)


@require_POST
def cancel(request: UserRequest, slug: str, run_id: int) -> HttpResponse:
    _, run = access.run(request, slug, run_id)
    with refusal_shown(request):
        left_out = cancel_job(job=run, admin=request.user)
        messages.success(request, f"Canceled. {left_out:,} left out; what was done stays.")
    return redirect("inference:run", slug, run_id)


@require_POST
def retry(request: UserRequest, slug: str, run_id: int) -> HttpResponse:
    """Retry failed items; with `code`, only those with this reason."""
    _, run = access.run(request, slug, run_id)
    with refusal_shown(request):
        again = retry_job(job=run, admin=request.user, code=storable(request.POST.get("code", "")))
        messages.success(request, f"{again:,} tried again." if again else "The run continues.")
    return redirect("inference:run", slug, run_id)


@require_POST
def requeue(request: UserRequest, slug: str, run_id: int) -> HttpResponse:
    _, run = access.run(request, slug, run_id)
    if requeue_jobs(job=run).jobs:
        messages.success(request, "The run is queued again.")
    else:
        messages.info(request, "A worker is processing it, or it has ended. Nothing was changed.")
    return redirect("inference:run", slug, run_id)


def _place(request: UserRequest) -> tuple[str, str | None]:
    return request.GET.get("state", ""), request.GET.get("page")


def _list_context(request: UserRequest, membership: Membership) -> dict[str, Any]:
    menu = list_menu(membership, VIEWS, request, columns=COLUMNS)
    return runs_context(membership, request.GET) | menu
