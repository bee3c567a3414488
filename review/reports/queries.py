"""What became of asking a worker for reports."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from annotate.models import AuditEvent, Project
from review.reports.models import DueReport, Report

ASKED, RECOMPUTED = "ask to recompute", "recompute"
PATIENCE = timedelta(minutes=5)


@dataclass(frozen=True)
class Request:
    """`error`: why it failed, as long as there is no newer report. `made`: how many reports came of
    it, None where that is not known."""

    at: datetime
    is_waiting: bool
    error: str
    made: int | None = None

    @property
    def is_late(self) -> bool:
        return self.is_waiting and timezone.now() - self.at > PATIENCE

    @property
    def found_nothing_new(self) -> bool:
        """Just now, so that whoever asked for it is told."""
        return self.made == 0 and timezone.now() - self.at <= PATIENCE


def last_requests(project: Project, names: Collection[str]) -> dict[str, Request]:
    """By name, the last time that somebody asked for its reports, or was answered."""
    events = AuditEvent.objects.filter(
        object_type="project",
        object_id=project.pk,
        verb__in=(ASKED, RECOMPUTED),
        after__report__in=list(names),
    )
    last = events.order_by().values("after__report").annotate(last=Max("pk")).values("last")
    return {
        event.after["report"]: _request(event) for event in AuditEvent.objects.filter(pk__in=last)
    }


def last_request(project: Project, name: str) -> Request | None:
    return last_requests(project, [name]).get(name)


def is_due(project: Project, name: str) -> bool:
    """Whether a worker has been asked, by no person, for reports that are not made yet."""
    return DueReport.objects.filter(project=project, name=name).exists()


def _request(event: AuditEvent) -> Request:
    name, error = event.after["report"], event.after.get("error", "")
    newer = Report.objects.filter(project=event.project_id, name=name, created_at__gt=event.at)
    if error and newer.exists():
        error = ""
    return Request(event.at, event.verb == ASKED, error, event.after.get("made"))
