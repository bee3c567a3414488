"""Access to reports of recall, their queries, and sets of vectors."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin, reviewer
from review.reports.models import Report
from review.retrieval import NAME
from review.retrieval.models import RecallRanking, VectorSet


def recall_report(request: UserRequest, slug: str, report_id: int) -> tuple[Membership, Report]:
    """Return a report of recall, current or old."""
    membership = reviewer(request, slug)
    reports = Report.objects.filter(project=membership.project, name=NAME)
    return membership, get_object_or_404(reports, pk=report_id)


def recall_query(
    request: UserRequest, slug: str, report_id: int, kind: str, way: str, query_id: int
) -> tuple[Membership, Report, RecallRanking]:
    """Return the ranking that has the query, a caption or a clip."""
    membership, report = recall_report(request, slug, report_id)
    rankings = RecallRanking.objects.select_related("report")
    ranking: RecallRanking = get_object_or_404(rankings, report=report, kind=kind, way=way)
    if query_id not in ranking.array("queries"):
        raise Http404("This query isn't in the report.")
    return membership, report, ranking


def vector_set(request: UserRequest, slug: str, vector_set_id: int) -> VectorSet:
    membership = admin(request, slug)
    sets = VectorSet.objects.filter(is_used=True).select_related("project")
    return get_object_or_404(sets, pk=vector_set_id, project=membership.project)
