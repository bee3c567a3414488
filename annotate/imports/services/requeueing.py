"""Taking up what a killed worker or a lost message left behind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.imports.services.queueing import queue_import
from annotate.imports.services.refusals import GAVE_UP, refuse
from annotate.models import ImportBatch, ImportItem

State = ImportItem.State

# A living worker touches its row every BEAT_SECONDS (see `running`), so silence means death.
STALE_MINUTES = 3
MOST_ATTEMPTS = 3


@dataclass(frozen=True)
class Requeued:
    """How many imports were queued again, and how many were given up."""

    queued: int
    refused: int


def stale_items(
    *, batch: ImportBatch | None = None, minutes: int = STALE_MINUTES
) -> QuerySet[ImportItem]:
    items = ImportItem.objects.filter(
        state__in=[State.QUEUED, State.RUNNING],
        updated_at__lte=timezone.now() - timedelta(minutes=minutes),
    )
    return items if batch is None else items.filter(batch=batch)


def requeue_imports(*, batch: ImportBatch | None = None, minutes: int = STALE_MINUTES) -> Requeued:
    """Queue again what has been silent for `minutes`; refuse what was tried too often.

    Safe at any time: a file that still waits behind others is only announced twice.
    """
    queued = refused = 0
    for item in stale_items(batch=batch, minutes=minutes).order_by("pk"):
        if item.state == State.RUNNING and item.attempts >= MOST_ATTEMPTS:
            refused += refuse(item, "gave_up", GAVE_UP)
            continue
        with transaction.atomic():
            queued += _queue_again(item)
    return Requeued(queued, refused)


def _queue_again(item: ImportItem) -> int:
    # The old `updated_at` in the condition: a worker that has just spoken keeps its row.
    changed = ImportItem.objects.filter(
        pk=item.pk, state=item.state, attempts=item.attempts, updated_at=item.updated_at
    ).update(state=State.QUEUED, step="", progress=0, updated_at=timezone.now())
    if changed:
        queue_import(item.pk)
    return changed
