"""The state of the jobs that compute reports."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from annotate.jobs.parameters import read_parameters
from annotate.models import Project
from annotate.models.jobs import Job
from review.reports.models import Report

COMPUTE_REPORTS = "reports"
LABELS = 0
PATIENCE = timedelta(minutes=5)


@dataclass(frozen=True)
class ComputeParameters:
    """`follow_up` requests a further job: None, the key of the person who asked, or LABELS if
    labels have changed.
    """

    follow_up: int | None = None


@dataclass(frozen=True)
class Request:
    """The last job of a report. `is_waiting`: a person waits for it. `is_due`: it was started by
    changed labels. `error`: why it failed, until there is a newer report. `is_new`: whether it
    stored a report; None while it is active or if nobody asked."""

    at: datetime
    is_waiting: bool
    error: str
    is_new: bool | None = None
    is_due: bool = False

    @property
    def is_late(self) -> bool:
        return self.is_waiting and timezone.now() - self.at > PATIENCE

    @property
    def found_nothing_new(self) -> bool:
        """Return whether it has just ended without a new report, which the person should learn."""
        return self.is_new is False and timezone.now() - self.at <= PATIENCE


def follow_up_of(job: Job) -> int | None:
    return read_parameters(job, ComputeParameters).follow_up


def last_requests(project: Project, names: Collection[str]) -> dict[str, Request]:
    """Return the state of the last job of each name's reports, in two queries."""
    jobs = Job.objects.filter(project=project, kind=COMPUTE_REPORTS, lane__in=list(names))
    last = jobs.order_by().values("lane").annotate(last=Max("pk")).values("last")
    reports = Report.objects.filter(project=project, name__in=list(names)).order_by()
    newest = dict(reports.values_list("name").annotate(Max("created_at")))
    return {
        job.lane: _request(job, newest.get(job.lane)) for job in Job.objects.filter(pk__in=last)
    }


def _request(job: Job, newest: datetime | None) -> Request:
    """Return the job as a request. `newest`: when the newest report was stored."""
    is_asked = bool(job.created_by_id or follow_up_of(job))
    if job.is_active or job.finished_at is None:
        return Request(job.resumed_at, is_asked, "", is_due=not is_asked)
    error = job.reason if newest is None or newest <= job.finished_at else ""
    is_done = job.state == Job.State.DONE
    is_new = newest is not None and newest >= job.created_at
    return Request(job.finished_at, False, error, is_new if is_asked and is_done else None)
