"""Record the heartbeats of workers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from annotate.models import WorkerBeat

# Workers that always have new names must not fill the table.
KEEP = timedelta(days=7)


@transaction.atomic
def record_beat(*, worker: str, queues: Iterable[str]) -> None:
    """Store that `worker` takes tasks from `queues` now, by the database's clock.

    Not audited: a worker does it every few seconds.
    """
    beats = [WorkerBeat(worker=worker, queue=queue, at=Now()) for queue in sorted(queues)]
    WorkerBeat.objects.bulk_create(
        beats, update_conflicts=True, unique_fields=["worker", "queue"], update_fields=["at"]
    )


def forget_old_beats() -> None:
    WorkerBeat.objects.filter(at__lt=timezone.now() - KEEP).delete()
