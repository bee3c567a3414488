"""How pages get a stored report."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.models import Membership
from review.reports.models import Report


def any_report(membership: Membership, report_id: int) -> Report:
    """Return any report of the project, the newest or an earlier one."""
    report = get_object_or_404(Report, pk=report_id, project=membership.project)
    report.project = membership.project
    return report
