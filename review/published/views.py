"""Human captions of published data sets: checked, imported and removed by admins."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.jobs.file_imports import faults_csv
from annotate.models import Membership
from annotate.refusals import refusal_in, refusal_shown
from annotate.responses import file_to_save
from review import access
from review.errors import NameRefused, ReviewError
from review.published import access as published_access
from review.published.forms import CheckForm, RemoveForm
from review.published.pages import import_context, imports_context
from review.published.plan import PublishedInvalid
from review.published.services import check_file, keep_faults, remove_import, start_import


@require_GET
def human_captions(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    return render(request, "review/published/human_captions.html", imports_context(membership))


@require_POST
def check(request: UserRequest, slug: str) -> HttpResponse:
    """Check a file and show what importing it would do."""
    membership = access.admin(request, slug)
    form = CheckForm(request.POST, request.FILES)
    if not form.is_valid():
        return _refused(request, membership, form)
    file = form.cleaned_data["file"]
    try:
        checked = check_file(
            project=membership.project,
            name=form.cleaned_data["name"],
            data=file.read(),
            file_name=file.name or "",
            options=form.options,
            admin=request.user,
        )
    except PublishedInvalid as error:
        kept = keep_faults(
            project=membership.project, file_name=file.name or "", faults=error.rows()
        )
        return _refused(request, membership, form, error, kept)
    except ReviewError as error:
        form.add_error("name" if isinstance(error, NameRefused) else "file", str(error))
        return _refused(request, membership, form)
    return redirect("review:human_import", slug, checked.pk)


@require_GET
def human_import(request: UserRequest, slug: str, import_id: int) -> HttpResponse:
    membership, chosen = published_access.human_import(request, slug, import_id)
    context = import_context(membership, chosen)
    return render(request, "review/published/human_import.html", context)


@require_GET
def faults(request: UserRequest, slug: str, import_id: int) -> HttpResponseBase:
    """Return what must be fixed in a file of human captions, as CSV."""
    _, checked = published_access.checked_file(request, slug, import_id)
    preview = checked.preview
    return file_to_save(
        faults_csv(preview.get("faults") or preview.get("skipped", [])), "errors.csv"
    )


@require_POST
def run_import(request: UserRequest, slug: str, import_id: int) -> HttpResponse:
    _, chosen = published_access.human_import(request, slug, import_id)
    seen = request.POST.get("sha256", "")
    with refusal_shown(request):
        start_import(human_import=chosen, admin=request.user, sha256=seen)
        return redirect("review:human_captions", slug)
    return redirect("review:human_import", slug, chosen.pk)


@require_POST
def remove(request: UserRequest, slug: str, import_id: int) -> HttpResponse:
    membership, chosen = published_access.human_import(request, slug, import_id)
    form = RemoveForm(request.POST)
    if form.is_valid():
        with refusal_in(form, "confirm"):
            count = remove_import(human_import=chosen, admin=request.user)
            captions = f"{count:,} caption{'' if count == 1 else 's'}"
            what = f"Removed {captions} of" if chosen.imported_at else "Discarded"
            messages.success(request, f"{what} {chosen.name}.")
            return redirect("review:human_captions", slug)
    context = import_context(membership, chosen, form)
    if context["uses"]:
        messages.error(request, "These captions are used meanwhile: keep them.")
    return render(request, "review/published/human_import.html", context, status=422)


def _refused(
    request: UserRequest,
    membership: Membership,
    form: CheckForm,
    invalid: PublishedInvalid | None = None,
    kept: int | None = None,
) -> HttpResponse:
    """Show the refusal. `kept`: the key of the faults to download."""
    context = imports_context(membership, form, invalid)
    if kept is not None:
        context["faults_url"] = reverse(
            "review:human_import_faults", args=[membership.project.slug, kept]
        )
    return render(request, "review/published/human_captions.html", context, status=422)
