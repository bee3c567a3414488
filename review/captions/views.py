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
from review.captions.pages import PAGE, set_context
from review.captions.services import make_set_of_run, offer_set
from review.errors import NameRefused, ReviewError


@require_POST
def make_of_run(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = RunSetForm(membership.project, request.POST)
    if not form.is_valid():
        return _refused(request, membership, run_form=form)
    try:
        made = make_set_of_run(admin=request.user, **form.cleaned_data)
    except ReviewError as error:
        form.add_error("name", str(error))
        return _refused(request, membership, run_form=form)
    messages.success(request, f"The captions of {made.name} are ready to compare.")
    return redirect("review:report_page", slug, "caption-sets")


@require_POST
def import_file(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = ImportForm(membership.project, request.POST, request.FILES)
    if not form.is_valid():
        return _refused(request, membership, import_form=form)
    asked = form.cleaned_data
    try:
        made = import_predictions(
            project=membership.project,
            file_name=asked["file"].name,
            admin=request.user,
            **asked,
        )
    except PredictionsInvalid as error:
        return _refused(request, membership, import_form=form, invalid=error)
    except ReviewError as error:
        form.add_error("name" if isinstance(error, NameRefused) else None, str(error))
        return _refused(request, membership, import_form=form)
    count = made.captions.count()
    messages.success(
        request, f"Imported {count:,} caption{'' if count == 1 else 's'} of {made.name}."
    )
    return redirect("review:report_page", slug, "caption-sets")


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
    said = "is offered again" if is_used else "is no longer offered; you can offer it again"
    messages.success(request, f"{found.name} {said}.")
    return redirect("review:report_page", slug, "caption-sets")


def _refused(request: UserRequest, membership: Membership, **forms: Any) -> HttpResponse:
    context = PAGE.context(membership, request.GET, **forms)
    return render(request, PAGE.template, context, status=422)
