"""Handing a run to the workers, and taking up what a killed worker or a lost message left."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from inference.models import InferenceRun, RunItem
from inference.tasks import work_on_run

State = InferenceRun.State


@dataclass(frozen=True)
class Requeued:
    """How many runs were handed to the workers again."""

    runs: int


def queue_run(run: InferenceRun) -> None:
    """Send one message once the rows are committed; whoever takes it sends the next.

    Robust: the rows are the truth, so a broker that is away costs a later requeue and no more.
    """
    InferenceRun.objects.filter(pk=run.pk).update(queued_at=timezone.now())
    send = partial(work_on_run.apply_async, args=(run.pk,), queue=run.queue)
    transaction.on_commit(send, robust=True)


def abandoned_runs() -> QuerySet[InferenceRun]:
    """Runs with work left on which no living worker is."""
    living = RunItem.objects.filter(
        run=OuterRef("pk"), state=RunItem.State.RUNNING, lease_until__gt=timezone.now()
    )
    return InferenceRun.objects.filter(~Exists(living), state=State.RUNNING)


def requeue_runs(*, run: InferenceRun | None = None, force: bool = False) -> Requeued:
    """Queue again every run that nobody is working on; `force` takes leases away first.

    Safe at any time: an overtaken worker finds that it has lost its items and stores nothing.
    """
    if force:
        held = RunItem.objects.filter(state=RunItem.State.RUNNING, run__state=State.RUNNING)
        (held.filter(run=run) if run else held).update(lease_until=timezone.now())
    runs = abandoned_runs().filter(pk=run.pk) if run else abandoned_runs()
    found = list(runs)
    for abandoned in found:
        with transaction.atomic():
            queue_run(abandoned)
    return Requeued(len(found))
