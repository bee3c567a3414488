"""Views of the queries of an mAP@K report, and of the clips that each baseline ranks first."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest
from review.composed import access as composed_access
from review.composed.figure_file import ranking_figure
from review.composed.forms import FigureForm, QueryFilterForm
from review.composed.ranked import queries_context, query_context
from review.triplets.figure_file import send_figure


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


@require_GET
def query_figure(
    request: UserRequest, slug: str, report_id: int, query_id: int
) -> HttpResponseBase:
    """Download the query with its first clips as SVG; `?most=10` has more of them."""
    _, report, composed = composed_access.retrieval_query(request, slug, report_id, query_id)
    drawing = ranking_figure(report, composed, FigureForm(request.GET).most_clips)
    return send_figure(drawing, composed, f"{slug}-retrieval-{report_id}-query-{query_id}.svg")
