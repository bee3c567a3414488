"""The page that imports a published set of triplets."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.access import UserRequest
from annotate.jobs.file_imports import last_import
from annotate.refusals import refusal_in
from review import access
from review.triplets.set_import_form import SetImportForm
from review.triplets.set_import_job import IMPORT_SET, start_set_import


@require_http_methods(["GET", "POST"])
def import_set(request: UserRequest, slug: str) -> HttpResponse:
    """Show the form, or have a worker import the ZIP of a set."""
    membership = access.admin(request, slug)
    project = membership.project
    last = last_import(project.pk, IMPORT_SET)
    typed = last.typed if last else {}
    form = SetImportForm(request.POST or None, request.FILES or None, initial=typed)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        with refusal_in(form):
            start_set_import(
                project=project,
                format=form.cleaned_data["format"],
                file_name=file.name or "",
                data=file.read(),
                admin=request.user,
            )
            return redirect("review:import_triplets", slug)
    context = {"project": project, "membership": membership, "last_import": last, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "review/triplets/set_import.html", context, status=status)
