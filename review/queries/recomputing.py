"""What became of asking a worker for reports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from annotate.models import AuditEvent, Project
from review.models import Report

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


def last_request(project: Project, name: str) -> Request | None:
    """The last time that somebody asked for the reports of this name, or was answered."""
    events = AuditEvent.objects.filter(
        object_type="project",
        object_id=project.pk,
        verb__in=(ASKED, RECOMPUTED),
        after__report=name,
    )
    event = events.order_by("-pk").first()
    if event is None:
        return None
    error = event.after.get("error", "")
    if (
        error
        and Report.objects.filter(project=project, name=name, created_at__gt=event.at).exists()
    ):
        error = ""
    return Request(event.at, event.verb == ASKED, error, event.after.get("made"))
