"""Access to reports of recall and sets of vectors."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin, reviewer
from review.reports.models import Report
from review.retrieval.models import VectorSet


def recall_report(request: UserRequest, slug: str, report_id: int) -> tuple[Membership, Report]:
    """Return a report of recall, current or old."""
    membership = reviewer(request, slug)
    reports = Report.objects.filter(project=membership.project, name=Report.Name.RECALL)
    return membership, get_object_or_404(reports, pk=report_id)


def vector_set(request: UserRequest, slug: str, vector_set_id: int) -> VectorSet:
    membership = admin(request, slug)
    sets = VectorSet.objects.filter(is_used=True).select_related("project")
    return get_object_or_404(sets, pk=vector_set_id, project=membership.project)
