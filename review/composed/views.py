"""mAP@K of the project's models; the queries, and what each baseline ranks first."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from review import access
from review.composed import access as composed_access
from review.composed.files import map_csv, map_json
from review.composed.forms import QueryFilterForm, SortForm
from review.composed.pages import newest_reports, retrieval_context, retrieval_state
from review.composed.ranked import queries_context, query_context
from review.reports.models import Report
from review.reports.services import ask_to_recompute
from review.reports.views import state_response


@require_GET
def retrieval(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    context = retrieval_context(membership, SortForm(request.GET))
    return render(request, "review/composed/retrieval.html", context)


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    return state_response(request, retrieval_state(access.reviewer(request, slug).project))


@require_POST
def recompute(request: UserRequest, slug: str) -> HttpResponse:
    """Sent to a worker: no web process loads a model."""
    membership = access.reviewer(request, slug)
    ask_to_recompute(
        project=membership.project, name=Report.Name.COMPOSED_RETRIEVAL, person=request.user
    )
    messages.info(request, "A worker is computing the numbers.")
    return redirect("review:retrieval", slug)


@require_GET
def numbers_csv(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    return _file(map_csv(newest_reports(membership.project)), "text/csv", f"{slug}-map.csv")


@require_GET
def numbers_json(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    found = map_json(newest_reports(membership.project))
    return _file(found, "application/json", f"{slug}-map.json")


@require_GET
def queries(request: UserRequest, slug: str, report_id: int) -> HttpResponse:
    membership, report = composed_access.retrieval_report(request, slug, report_id)
    form = QueryFilterForm(request.GET)
    context = queries_context(membership, report, form, request.GET.get("page"))
    return render(request, "review/composed/retrieval_queries.html", context)


@require_GET
def query(request: UserRequest, slug: str, report_id: int, query_id: int) -> HttpResponse:
    membership, report, composed = composed_access.retrieval_query(
        request, slug, report_id, query_id
    )
    context = query_context(membership, report, QueryFilterForm(request.GET), composed)
    return render(request, "review/composed/retrieval_query.html", context)


def _file(text: str, content_type: str, name: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(
        text,
        content_type=f"{content_type}; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )
