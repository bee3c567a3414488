"""Check whether a worker serves a queue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from annotate.models import WorkerBeat

BEAT_SECONDS = 5.0
# A few beats may be late on a busy machine.
SILENT_AFTER = timedelta(seconds=30)


@dataclass(frozen=True)
class Silence:
    """No worker takes tasks from `queue`. `since` is the last beat, None if there never was one."""

    queue: str
    since: datetime | None

    def __str__(self) -> str:
        if self.since is None:
            return "No worker has responded yet."
        return f"No worker has responded since {self.since:%-d %b %Y %H:%M:%S} UTC."


@dataclass(frozen=True)
class LastBeats:
    """The last beat of any worker, by queue."""

    by_queue: Mapping[str, datetime]

    def silence_in(self, queue: str) -> Silence | None:
        at = self.by_queue.get(queue)
        if at is not None and at > timezone.now() - SILENT_AFTER:
            return None
        return Silence(queue, at)


def last_beats() -> LastBeats:
    beats = WorkerBeat.objects.order_by().values_list("queue").annotate(last=Max("at"))
    return LastBeats(dict(beats))
