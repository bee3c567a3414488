"""Stored reports and the vectors that they are computed from."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import reviewer
from review.reports.models import Report


def any_report(request: UserRequest, slug: str, report_id: int) -> tuple[Membership, Report]:
    """A report of the project, whichever it is, be it the newest or not."""
    membership = reviewer(request, slug)
    report = get_object_or_404(Report, pk=report_id, project=membership.project)
    report.project = membership.project
    return membership, report
