"""Import captions, scores and vectors that were made elsewhere, after a preview."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.access import UserRequest
from annotate.models import Project
from review import access
from review.captions.exchange import PredictionsInvalid
from review.elsewhere.forms import ResultsForm
from review.elsewhere.services import import_results, imported_sentence, preview_results
from review.errors import NameRefused, ReviewError


@require_http_methods(["GET", "POST"])
def import_file(request: UserRequest, slug: str) -> HttpResponse:
    """Show the form; preview the file, or import it and open its run."""
    membership = access.admin(request, slug)
    form = ResultsForm(membership.project, request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"project": membership.project, "membership": membership}
    if request.method == "POST" and form.is_valid():
        try:
            if "preview" in request.POST:
                context["preview"] = preview_results(**_asked(membership.project, form))
            else:
                runs = import_results(**_asked(membership.project, form), admin=request.user)
                messages.success(request, imported_sentence(runs))
                return redirect("inference:run", slug, runs[-1].pk)
        except PredictionsInvalid as error:
            context["invalid"] = error
        except NameRefused as error:
            form.add_error("model", str(error))
        except ReviewError as error:
            form.add_error(None, str(error))
    is_refused = bool(request.method == "POST" and "preview" not in context)
    return render(
        request,
        "review/elsewhere/import_results.html",
        context | {"form": form},
        status=422 if is_refused else 200,
    )


def _asked(project: Project, form: ResultsForm) -> dict[str, Any]:
    file = form.cleaned_data["file"]
    return {
        "project": project,
        "kind": form.cleaned_data["kind"],
        "file": file,
        "file_name": file.name,
        "stated": form.statement,
    }
