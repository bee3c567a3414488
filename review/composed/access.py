"""Access to reports of composed retrieval, their queries, and imported rankings."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin, reviewer
from review.composed import NAME
from review.composed.computing import Composed
from review.composed.models import ImportedRanking
from review.reports.models import Report
from review.reports.results import result_of
from review.triplets.models import ComposedQuery


def retrieval_report(request: UserRequest, slug: str, report_id: int) -> tuple[Membership, Report]:
    """Return a report of mAP@K with numbers, current or old."""
    membership = reviewer(request, slug)
    reports = Report.objects.filter(project=membership.project, name=NAME)
    report = get_object_or_404(reports, pk=report_id)
    if not result_of(report, Composed).queries:
        raise Http404("This report has no results.")
    return membership, report


def retrieval_query(
    request: UserRequest, slug: str, report_id: int, query_id: int
) -> tuple[Membership, Report, ComposedQuery]:
    membership, report = retrieval_report(request, slug, report_id)
    if all(query.key != query_id for query in result_of(report, Composed).queries):
        raise Http404("This query isn't in the report.")
    queries = ComposedQuery.objects.select_related("modification__source", "modification__target")
    return membership, report, get_object_or_404(queries, pk=query_id)


def administered_ranking(request: UserRequest, slug: str, ranking_id: int) -> ImportedRanking:
    """Return an imported ranking of the project."""
    rankings = ImportedRanking.objects.select_related("triplets")
    project = admin(request, slug).project
    ranking: ImportedRanking = get_object_or_404(rankings, project=project, pk=ranking_id)
    return ranking
