"""The page that imports the labeled clips of a data set."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from annotate import access
from annotate.access import UserRequest
from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.forms import DatasetForm
from annotate.datasets.importing import IMPORT_DATASET, start_dataset_import
from annotate.errors import Refused
from annotate.jobs.queries import latest_job
from annotate.jobs.workers import last_beats
from annotate.models import Membership, Role


@require_http_methods(["GET", "POST"])
def dataset(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    form = DatasetForm(request.POST or None, request.FILES or None)
    invalid = None
    if request.method == "POST" and form.is_valid():
        try:
            job = start_dataset_import(
                project=membership.project,
                format=form.cleaned_data["format"],
                files=form.chosen_files(),
                admin=request.user,
            )
        except DatasetInvalid as error:
            invalid = error
        except Refused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"A worker imports {job.title}.")
            return redirect("annotate:dataset", slug)
    context = {"form": form, "invalid": invalid, **_last_import(membership)}
    status = 422 if request.method == "POST" else 200
    return render(request, "annotate/datasets/dataset.html", context, status=status)


@require_GET
def dataset_live(request: UserRequest, slug: str) -> HttpResponse:
    """Show the import in progress; once it has ended, the page reloads."""
    context = _last_import(access.member(request, slug, Role.ADMIN))
    response = render(request, "annotate/datasets/dataset_import.html", context)
    if not context["is_importing"]:
        response["HX-Refresh"] = "true"
    return response


def _last_import(membership: Membership) -> dict[str, Any]:
    job = latest_job(membership.project_id, IMPORT_DATASET)
    is_importing = job is not None and job.is_active
    return {
        "membership": membership,
        "project": membership.project,
        "last_import": job,
        "last_item": job.job_items.first() if job else None,
        "is_importing": is_importing,
        "silence": last_beats().silence_in(job.queue) if job and is_importing else None,
    }
