"""Model captions: make sets from runs and files, read them, and compare them with human ones.

These pages show model names beside texts, so only admins see them: voters must stay blind.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.errors import Refused
from annotate.models import Membership
from annotate.refusals import refusal_in
from annotate.responses import back_to_list
from review import access
from review.captions import access as captions_access
from review.captions.forms import FilterForm, ImportForm, RunSetForm
from review.captions.import_job import start_predictions_import
from review.captions.pages import PAGE, set_context
from review.captions.services import make_set_of_run, offer_set
from review.errors import NameRefused


@require_POST
def make_of_run(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = RunSetForm(membership.project, request.POST)
    if form.is_valid():
        with refusal_in(form, "name"):
            made = make_set_of_run(admin=request.user, **form.cleaned_data)
            messages.success(request, f"The captions of {made.name} are ready to compare.")
            return redirect("review:report_page", slug, "caption-sets")
    return _refused(request, membership, run_form=form)


@require_POST
def import_file(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = ImportForm(membership.project, request.POST, request.FILES)
    if not form.is_valid():
        return _refused(request, membership, import_form=form)
    about = dict(form.cleaned_data)
    file = about.pop("file")
    try:
        start_predictions_import(
            project=membership.project,
            file_name=file.name or "",
            data=file.read(),
            admin=request.user,
            about=about,
        )
    except Refused as error:
        form.add_error("name" if isinstance(error, NameRefused) else None, str(error))
        return _refused(request, membership, import_form=form)
    return redirect("review:report_page", slug, "caption-sets")


@require_GET
def caption_set(request: UserRequest, slug: str, set_id: int) -> HttpResponse:
    membership, caption_set = captions_access.caption_set(request, slug, set_id)
    context = set_context(membership, caption_set, FilterForm(request.GET), request.GET.get("page"))
    return render(request, "review/captions/caption_set.html", context)


@require_POST
def offer(request: UserRequest, slug: str, set_id: int) -> HttpResponse:
    """Offer the set or hide it. `offer`: "yes" or "no". `page`: "set" if its own page asks."""
    _, caption_set = captions_access.caption_set(request, slug, set_id)
    is_used = request.POST.get("offer") == "yes"
    offer_set(caption_set=caption_set, is_used=is_used, admin=request.user)
    state = "is offered again" if is_used else "is no longer offered; you can offer it again"
    messages.success(request, f"{caption_set.name} {state}.")
    if request.POST.get("page") == "set":
        return back_to_list(request, "review:caption_set", slug, caption_set.pk)
    return back_to_list(request, "review:report_page", slug, "caption-sets")


def _refused(request: UserRequest, membership: Membership, **forms: Any) -> HttpResponse:
    context = PAGE.context(membership, request.GET, **forms) | PAGE.menu(membership, request)
    return render(request, PAGE.template, context, status=422)
