"""Bringing in the labeled clips of a data set."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate import access
from annotate.access import UserRequest
from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.forms import DatasetForm
from annotate.datasets.services import import_dataset
from annotate.errors import AnnotateError
from annotate.models import Role


@require_http_methods(["GET", "POST"])
def dataset(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    project = membership.project
    form = DatasetForm(request.POST or None, request.FILES or None)
    invalid = None
    if request.method == "POST" and form.is_valid():
        try:
            imported = import_dataset(project=project, admin=request.user, **form.read())
        except DatasetInvalid as error:
            invalid = error
        except AnnotateError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"Imported: {imported}")
            return redirect("annotate:labels", slug)
    context = {"membership": membership, "project": project, "form": form, "invalid": invalid}
    status = 422 if request.method == "POST" else 200
    return render(request, "annotate/datasets/dataset.html", context, status=status)
