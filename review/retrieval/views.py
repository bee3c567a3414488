"""Views of one model's recall and its queries, and of imported vectors."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.datasets.faults import Fault, LeftOut
from annotate.responses import back_to_list
from review import access
from review.errors import NameRefused, ReviewError
from review.retrieval import access as retrieval_access
from review.retrieval.exchange import import_vectors, remove_vector_set
from review.retrieval.forms import ImportForm
from review.retrieval.model_page import model_context
from review.retrieval.pages import PAGE
from review.retrieval.ranked import filter_form, queries_context, query_context
from review.retrieval.row_faults import VectorsInvalid
from review.retrieval.services import set_recall_captions


@require_POST
def import_file(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = ImportForm(membership.project, request.POST, request.FILES)
    faults_link = ""
    if form.is_valid():
        vectors = form.cleaned_data["vectors"]
        left_out: list[Fault] = []
        try:
            made = import_vectors(
                project=membership.project,
                file=vectors.file,
                file_name=vectors.name,
                name=form.cleaned_data["name"],
                release=form.cleaned_data["release"],
                left_out=left_out if form.cleaned_data["skips_bad"] else None,
                admin=request.user,
            )
        except NameRefused as error:
            form.add_error("name", str(error))
        except VectorsInvalid as error:
            form.add_error("vectors", error.lines)
            faults_link = error.as_link
        except ReviewError as error:
            form.add_error("vectors", str(error).splitlines())
        else:
            imported = f"The vectors of {made} are imported. {LeftOut(left_out).sentence}".strip()
            messages.success(request, f"{imported} Compute their recall next.")
            return redirect("review:report_page", slug, "recall")
    context = PAGE.context(membership, request.GET, form=form) | {"faults_link": faults_link}
    return render(request, PAGE.template, context, status=422)


@require_POST
def remove_set(request: UserRequest, slug: str, vector_set_id: int) -> HttpResponse:
    vector_set = retrieval_access.vector_set(request, slug, vector_set_id)
    remove_vector_set(vector_set=vector_set, admin=request.user)
    messages.success(request, f"The vectors of {vector_set} are no longer used.")
    return back_to_list(request, "review:report_page", slug, "recall")


@require_POST
def count_captions(request: UserRequest, slug: str) -> HttpResponse:
    """Choose whose captions count; `human_only` is present if only human captions do."""
    membership = access.admin(request, slug)
    set_recall_captions(
        project=membership.project, human_only="human_only" in request.POST, admin=request.user
    )
    messages.success(request, "Saved. A worker computes the numbers.")
    return back_to_list(request, "review:report_page", slug, "recall")


@require_GET
def model(request: UserRequest, slug: str, recall_id: int) -> HttpResponse:
    membership, report = retrieval_access.recall_report(request, slug, recall_id)
    return render(request, "review/retrieval/recall_model.html", model_context(membership, report))


@require_GET
def queries(request: UserRequest, slug: str, recall_id: int) -> HttpResponse:
    membership, report = retrieval_access.recall_report(request, slug, recall_id)
    form = filter_form(report, request.GET)
    context = queries_context(membership, report, form, request.GET.get("page"))
    return render(request, "review/retrieval/recall_queries.html", context)


@require_GET
def query(
    request: UserRequest, slug: str, recall_id: int, captions: str, way: str, asked_id: int
) -> HttpResponse:
    membership, report, ranking = retrieval_access.recall_query(
        request, slug, recall_id, captions, way, asked_id
    )
    form = filter_form(report, request.GET)
    context = query_context(membership, report, form, ranking, asked_id)
    return render(request, "review/retrieval/recall_query.html", context)
