"""Compute reports as a job: one job per name, which stores a report per subject."""

from __future__ import annotations

import logging

from django.db import OperationalError

from annotate.errors import ItemFailed, ItemLost, Refused
from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.single_step import SingleStepKind
from annotate.models.jobs import Job
from review.reports.page import page_of
from review.reports.queries import COMPUTE_REPORTS
from review.reports.registry import REPORTS
from review.reports.services import begin, follow_up, recompute

log = logging.getLogger(__name__)


class ComputeReports(SingleStepKind[int]):
    """The job's lane is the reports' name."""

    name = COMPUTE_REPORTS
    label = "Compute report"
    tells_starter = False  # the page shows it to the person who waits
    busy = "These numbers are being computed. Wait until that is done, or cancel it."

    def work(self, job: Job, lease: Lease) -> int:
        """Return how many reports are new."""
        request = begin(job)
        try:
            reports = recompute(
                project=job.project, name=job.lane, asked=request, saving=lease.saving
            )
        except (Refused, ItemFailed, ItemLost, OperationalError):
            raise
        except Exception as error:
            # Tell the waiting person about any error; the worker's log has the details.
            log.exception("%s of %s could not be computed.", job.lane, job.project)
            raise ItemFailed("failed", str(error) or type(error).__name__) from error
        return sum(report.created_at >= job.created_at for report in reports)

    def store(self, job: Job, result: int) -> Outcome:
        if not result:
            return Outcome("nothing has changed")
        return Outcome(f"{result} new report{'' if result == 1 else 's'}")

    def ended(self, job: Job) -> None:
        follow_up(job)

    def url(self, job: Job) -> str:
        return page_of(job.lane).url(job.project) if job.lane in REPORTS else ""
