"""A worker's lease on items: short, and renewed while the worker lives."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Event, Lock, Thread
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotate.errors import ItemLost
from annotate.jobs.kinds import job_kind
from annotate.models.jobs import ACTIVE, AbstractJobItem, Job

log = logging.getLogger(__name__)
State = AbstractJobItem.State

MAX_DEATHS = 3


@transaction.atomic
def take_items(job: Job, limit: int) -> list[AbstractJobItem]:
    """Take up to `limit` items of an active job, in order.

    An item whose worker died is taken alone, so that an item that kills its worker harms no other;
    after MAX_DEATHS times it fails.
    """
    kind = job_kind(job.kind)
    now = timezone.now()
    has_died = Q(state=State.RUNNING, lease_until__lte=now)
    free = (
        kind.items(job.pk)
        .select_for_update(skip_locked=True, of=("self",))
        .filter(Q(state=State.WAITING) | has_died, **{f"{kind.owner}__state__in": ACTIVE})
        .order_by("position", "id")
    )
    items: list[AbstractJobItem] = list(free[:limit])
    for item in items:
        item.deaths += item.state == State.RUNNING
    poisonous = [item.pk for item in items if item.deaths >= MAX_DEATHS]
    if poisonous:
        kind.items(job.pk).filter(pk__in=poisonous).update(
            state=State.FAILED, code="gave_up", reason=kind.gave_up, step="", lease_until=None,
            finished_at=now,
        )  # fmt: skip
    fresh = [item for item in items if not item.deaths]
    suspects = [item for item in items if 0 < item.deaths < MAX_DEATHS]
    taken = fresh or suspects[:1]
    for item in taken:
        item.state, item.attempts, item.lease_until = State.RUNNING, item.attempts + 1, lease_end()
        if isinstance(job, kind.job_model):  # to avoid a query per item
            setattr(item, kind.owner, job)
    kind.item_model._default_manager.bulk_update(
        taken, ["state", "attempts", "deaths", "lease_until"]
    )
    return taken if taken or not poisonous else take_items(job, limit)


def own_row(item: AbstractJobItem) -> QuerySet[Any]:
    """Return the item's row if this attempt has it."""
    rows = type(item)._default_manager.filter(pk=item.pk)
    return rows.filter(state=State.RUNNING, attempts=item.attempts)


def has_any(items: Sequence[AbstractJobItem]) -> bool:
    """Return whether this attempt still has one of these items."""
    return any(own_row(item).exists() for item in items)


def refuse_lost(items: Sequence[AbstractJobItem]) -> None:
    """Raise ItemLost if this attempt no longer has any of these items."""
    if not has_any(items):
        raise ItemLost


@contextmanager
def locked(item: AbstractJobItem) -> Iterator[None]:
    """Open a transaction in which the item's row is locked and belongs to this attempt.

    Raises ItemLost, with nothing written, if another attempt has it or it was canceled.
    """
    with transaction.atomic():
        if own_row(item).select_for_update(of=("self",)).first() is None:
            raise ItemLost
        yield


def show_step(item: AbstractJobItem, step: str) -> None:
    if not own_row(item).update(step=step[:80], lease_until=lease_end()):
        raise ItemLost


def release(items: Sequence[AbstractJobItem]) -> None:
    """Release the items to other workers, as if they had not been taken."""
    for item in items:
        own_row(item).update(state=State.WAITING, lease_until=None, step="")


def lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.VERICAP_ITEM_LEASE_SECONDS)


class Heartbeat:
    """Renews every held lease, from a thread, since a model may take minutes."""

    def __init__(self) -> None:
        self._held: dict[tuple[type[AbstractJobItem], int], AbstractJobItem] = {}
        self._plan: tuple[int, int] | None = None
        self._lock = Lock()
        self._stop = Event()
        self._thread = Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()

    def hold(self, items: Sequence[AbstractJobItem]) -> None:
        with self._lock:
            self._held.update({(type(item), item.pk): item for item in items})

    def hold_plan(self, job_id: int, token: int) -> None:
        self._plan = job_id, token

    def let_go(self, item: AbstractJobItem) -> None:
        with self._lock:
            self._held.pop((type(item), item.pk), None)

    def _beat(self) -> None:
        while not self._stop.wait(settings.VERICAP_ITEM_LEASE_SECONDS / 4):
            with self._lock:
                held = list(self._held.values())
            try:
                for item in held:
                    own_row(item).update(lease_until=lease_end())
                if self._plan:
                    job, token = self._plan
                    plans = Job.objects.filter(pk=job, token=token, is_planned=False)
                    plans.update(lease_until=lease_end())
            except DatabaseError:
                log.warning("A worker could not show that it is alive.")
            finally:
                connection.close()
