"""The page that imports the labeled clips of a data set."""

from __future__ import annotations

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from annotate import access
from annotate.access import UserRequest
from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.forms import DatasetForm
from annotate.datasets.importing import IMPORT_DATASET, start_dataset_import
from annotate.datasets.writing import FILES, json_lines
from annotate.errors import Refused
from annotate.jobs.file_imports import last_import
from annotate.models import Role
from annotate.responses import file_to_save


@require_http_methods(["GET", "POST"])
def dataset(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    form = DatasetForm(request.POST or None, request.FILES or None)
    invalid = None
    if request.method == "POST" and form.is_valid():
        try:
            start_dataset_import(
                project=membership.project,
                format=form.cleaned_data["format"],
                files=form.chosen_files(),
                skips_bad=form.cleaned_data["skips_bad"],
                admin=request.user,
            )
        except DatasetInvalid as error:
            invalid = error
        except Refused as error:
            form.add_error(None, str(error))
        else:
            return redirect("annotate:dataset", slug)
    context = {
        "membership": membership,
        "project": membership.project,
        "form": form,
        "invalid": invalid,
        "last_import": last_import(membership.project_id, IMPORT_DATASET),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "annotate/datasets/dataset.html", context, status=status)


@require_GET
def download(request: UserRequest, slug: str, dataset_file: str) -> HttpResponseBase:
    """Download the labeled clips or the labels, in the form that the import reads."""
    project = access.member(request, slug, Role.ADMIN).project
    name = f"{dataset_file}.json"
    if name not in FILES:
        raise Http404("No such file.")
    return file_to_save(json_lines(FILES[name](project)), f"{slug}-{name}")
