"""Import captions, scores and vectors that were made elsewhere, after a preview."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.access import UserRequest
from annotate.errors import Refused
from annotate.jobs.file_imports import last_import
from review import access
from review.captions.exchange import PredictionsInvalid
from review.elsewhere.forms import ResultsForm
from review.elsewhere.jobs import IMPORT_RESULTS, start_results_import
from review.elsewhere.services import preview_results
from review.errors import NameRefused


@require_http_methods(["GET", "POST"])
def import_file(request: UserRequest, slug: str) -> HttpResponse:
    """Show the form; preview the file, or have a worker import it."""
    membership = access.admin(request, slug)
    project = membership.project
    last = last_import(project.pk, IMPORT_RESULTS)
    typed = last.typed if last else {}
    form = ResultsForm(project, request.POST or None, request.FILES or None, initial=typed)
    context: dict[str, Any] = {"project": project, "membership": membership, "last_import": last}
    if request.method == "POST" and form.is_valid():
        file, kind = form.cleaned_data["file"], form.cleaned_data["kind"]
        results = {
            "project": project,
            "kind": kind,
            "file_name": file.name,
            "stated": form.statement,
            "skips_bad": form.cleaned_data["skips_bad"],
        }
        try:
            if "preview" in request.POST:
                context["preview"] = preview_results(file=file, **results)
            else:
                start_results_import(data=file.read(), admin=request.user, **results)
                return redirect("review:import_results", slug)
        except PredictionsInvalid as error:
            context["invalid"] = error
        except NameRefused as error:
            form.add_error("model", str(error))
        except Refused as error:
            form.add_error(None, str(error))
    is_refused = bool(request.method == "POST" and "preview" not in context)
    return render(
        request,
        "review/elsewhere/import_results.html",
        context | {"form": form},
        status=422 if is_refused else 200,
    )
