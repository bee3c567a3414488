"""Agreement that follows the stored labels."""

from __future__ import annotations

from review.reports.models import Report
from review.reports.services import recompute_later

# Labels of one task that take a worker a few seconds. 90,000 judged sentences take a minute, after
# each verification.
MAX_FOLLOWED = 10_000


def agreement_changed(project_id: int) -> None:
    """Let a worker update the agreement. If it has become large, it is only updated when its page
    is opened."""
    reports = Report.objects.filter(project=project_id, name="agreement")
    if not reports.filter(inputs__gt=MAX_FOLLOWED).exists():
        recompute_later(project_id, "agreement")
