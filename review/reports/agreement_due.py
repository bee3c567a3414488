"""Agreement that follows the stored labels."""

from __future__ import annotations

from review.reports.models import Report
from review.reports.services import recompute_later

# Of one task: what takes a worker a few seconds. 90,000 sentences judged take it a minute, and that
# after each verification.
MOST_FOLLOWED = 10_000


def agreement_changed(project_id: int) -> None:
    """Have a worker bring the agreement up to date, unless it has grown large: then it is done when
    somebody opens the page, which asks for it."""
    reports = Report.objects.filter(project=project_id, name=Report.Name.AGREEMENT)
    if not reports.filter(inputs__gt=MOST_FOLLOWED).exists():
        recompute_later(project_id, Report.Name.AGREEMENT)
