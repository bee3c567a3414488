"""What became of asking a worker for reports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from annotate.models import AuditEvent, Project

ASKED, RECOMPUTED = "ask to recompute", "recompute"
PATIENCE = timedelta(minutes=5)


@dataclass(frozen=True)
class Request:
    """`error`: why there is no newer report, of a request that has been answered."""

    at: datetime
    is_waiting: bool
    error: str

    @property
    def is_late(self) -> bool:
        return self.is_waiting and timezone.now() - self.at > PATIENCE


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
    return Request(event.at, event.verb == ASKED, event.after.get("error", ""))
