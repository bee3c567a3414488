"""Model captions: made of runs and files, read, and held against human ones.

Names stand beside texts here, so that all of it is for admins alone: who votes is to be blind.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.models import Membership
from review import access
from review.captions import access as captions_access
from review.captions.exchange import PredictionsInvalid, import_predictions
from review.captions.forms import FilterForm, ImportForm, RunSetForm
from review.captions.overlap_page import overlap_state
from review.captions.pages import set_context, sets_context
from review.captions.services import make_set_of_run, offer_set
from review.errors import NameRefused, ReviewError
from review.reports.models import Report
from review.reports.services import ask_to_recompute
from review.reports.views import state_response


@require_GET
def caption_sets(request: UserRequest, slug: str) -> HttpResponse:
    return _page(request, access.admin(request, slug))


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    return state_response(request, overlap_state(access.admin(request, slug).project))


@require_POST
def make_of_run(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = RunSetForm(membership.project, request.POST)
    if not form.is_valid():
        return _page(request, membership, run_form=form)
    try:
        made = make_set_of_run(admin=request.user, **form.cleaned_data)
    except ReviewError as error:
        form.add_error("name", str(error))
        return _page(request, membership, run_form=form)
    messages.success(request, f"{made.name} can be compared now.")
    return redirect("review:caption_sets", slug)


@require_POST
def import_file(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = ImportForm(membership.project, request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, membership, import_form=form)
    asked = form.cleaned_data
    try:
        made = import_predictions(
            project=membership.project,
            file_name=asked["file"].name,
            admin=request.user,
            **asked,
        )
    except PredictionsInvalid as error:
        return _page(request, membership, import_form=form, invalid=error)
    except ReviewError as error:
        form.add_error("name" if isinstance(error, NameRefused) else None, str(error))
        return _page(request, membership, import_form=form)
    count = made.captions.count()
    messages.success(
        request, f"Imported {count:,} caption{'' if count == 1 else 's'} of {made.name}."
    )
    return redirect("review:caption_sets", slug)


@require_POST
def recompute(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    ask_to_recompute(project=membership.project, name=Report.Name.OVERLAP, person=request.user)
    messages.info(request, "A worker is computing the numbers.")
    return redirect("review:caption_sets", slug)


@require_GET
def caption_set(request: UserRequest, slug: str, set_id: int) -> HttpResponse:
    membership, found = captions_access.caption_set(request, slug, set_id)
    context = set_context(membership, found, FilterForm(request.GET), request.GET.get("page"))
    return render(request, "review/captions/caption_set.html", context)


@require_POST
def offer(request: UserRequest, slug: str, set_id: int) -> HttpResponse:
    """`offer`: "yes" or "no"."""
    _, found = captions_access.caption_set(request, slug, set_id)
    is_used = request.POST.get("offer") == "yes"
    offer_set(caption_set=found, is_used=is_used, admin=request.user)
    said = "is offered again" if is_used else "is not offered any more; you can offer it again"
    messages.success(request, f"{found.name} {said}.")
    return redirect("review:caption_sets", slug)


def _page(request: UserRequest, membership: Membership, **forms: Any) -> HttpResponse:
    context = sets_context(membership, **forms)
    return render(
        request, "review/captions/caption_sets.html", context, status=422 if forms else 200
    )
