"""Let the demo's people have worked on earlier days, so that its charts have a past."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from django.utils import timezone

from annotate import audit
from annotate.models import AuditEvent, Notice, Project

DAYS = 13


@contextmanager
def days_ago(days: float) -> Iterator[None]:
    """Date everything that the block stores this many days back.

    Moves the clock that every field and service reads, `django.utils.timezone.now`. Captions and
    audit events can't be moved afterwards: the database refuses to change them.
    """
    shift = datetime.timedelta(days=days)

    class Earlier(datetime.datetime):
        @classmethod
        def now(  # type: ignore[override]  # must return its own class, and no caller needs it
            cls, tz: datetime.tzinfo | None = None
        ) -> datetime.datetime:
            return datetime.datetime.now(tz) - shift

    with patch.object(timezone, "datetime", Earlier):
        yield


@contextmanager
def log_in_order() -> Iterator[None]:
    """Store the audit events of the block at its end, in the order of their times.

    The log lists events by their keys, which are usually in order of time, while the demo makes up
    its days in any order. Code in the block must not read the log.
    """
    events: list[AuditEvent] = []

    def keep(event: AuditEvent) -> AuditEvent:
        events.append(event)
        return event

    try:
        with patch.object(audit, "insert", keep):
            yield
    finally:
        AuditEvent.objects.bulk_create(sorted(events, key=lambda event: event.at))


def order_notices(projects: Collection[Project]) -> None:
    """Store the notices of these projects again, unless their keys are in the order of their
    times."""
    notices = list(Notice.objects.filter(project__in=projects).order_by("id"))
    ordered = sorted(notices, key=lambda notice: notice.created_at)
    if ordered == notices:
        return
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).delete()
    for notice in ordered:
        notice.pk = None
    Notice.objects.bulk_create(ordered)
