"""Recall and ReBias of the project's models, and vectors of models that were run elsewhere."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from review import access
from review.errors import NameRefused, ReviewError
from review.reports.forms import MetricsForm
from review.reports.services import ask_to_recompute
from review.reports.views import state_response
from review.retrieval import access as retrieval_access
from review.retrieval.exchange import import_vectors, remove_vector_set
from review.retrieval.files import recall_csv, recall_json
from review.retrieval.forms import ImportForm
from review.retrieval.model_page import model_context
from review.retrieval.pages import REBIAS, RECALL, newest_rows, recall_context, recall_state


@require_GET
def recall(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    context = recall_context(membership, MetricsForm(request.GET))
    return render(request, "review/retrieval/recall.html", context)


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    return state_response(request, recall_state(access.reviewer(request, slug).project))


@require_POST
def recompute(request: UserRequest, slug: str) -> HttpResponse:
    """Sent to a worker: it takes minutes where there are many clips."""
    membership = access.reviewer(request, slug)
    for name in (RECALL, REBIAS):
        ask_to_recompute(project=membership.project, name=name, person=request.user)
    messages.info(request, "A worker is computing the numbers.")
    return redirect("review:recall", slug)


@require_POST
def import_file(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = ImportForm(membership.project, request.POST, request.FILES)
    if form.is_valid():
        vectors = form.cleaned_data["vectors"]
        try:
            made = import_vectors(
                project=membership.project,
                file=vectors.file,
                file_name=vectors.name,
                name=form.cleaned_data["name"],
                release=form.cleaned_data["release"],
                admin=request.user,
            )
        except NameRefused as error:
            form.add_error("name", str(error))
        except ReviewError as error:
            form.add_error("vectors", str(error).splitlines())
        else:
            messages.success(request, f"The vectors of {made} are in. Compute their recall now.")
            return redirect("review:recall", slug)
    context = recall_context(membership, MetricsForm({})) | {"form": form}
    return render(request, "review/retrieval/recall.html", context, status=422)


@require_POST
def remove_set(request: UserRequest, slug: str, vector_set_id: int) -> HttpResponse:
    vector_set = retrieval_access.vector_set(request, slug, vector_set_id)
    remove_vector_set(vector_set=vector_set, admin=request.user)
    messages.success(request, f"The vectors of {vector_set} are no longer used.")
    return redirect("review:recall", slug)


@require_GET
def numbers_csv(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    found = recall_csv(membership.project, newest_rows(membership.project))
    return _file(found, "text/csv", f"{slug}-recall.csv")


@require_GET
def numbers_json(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    found = recall_json(membership.project, newest_rows(membership.project))
    return _file(found, "application/json", f"{slug}-recall.json")


@require_GET
def model(request: UserRequest, slug: str, recall_id: int) -> HttpResponse:
    membership, report = retrieval_access.recall_report(request, slug, recall_id)
    return render(request, "review/retrieval/recall_model.html", model_context(membership, report))


def _file(text: str, content_type: str, name: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(
        text,
        content_type=f"{content_type}; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )
