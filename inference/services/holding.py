"""A worker's hold on items: taken for a short time, renewed while the worker lives."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Event, Lock, Thread

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Q
from django.utils import timezone

from inference.errors import Overtaken
from inference.models import InferenceRun, RunItem

log = logging.getLogger(__name__)
State = RunItem.State

MOST_DEATHS = 3
GAVE_UP = (
    "This item ended the worker each time it was tried. Look at the clip, give the worker more "
    "memory or a smaller batch, then retry it."
)


@transaction.atomic
def take_items(run_id: int, most: int) -> list[RunItem]:
    """Take up to `most` items of a running run, in their order; none when none is left.

    An item whose worker died is taken alone, so that one that kills its worker harms no other,
    and is failed when it has done so MOST_DEATHS times.
    """
    now = timezone.now()
    dropped = Q(state=State.RUNNING, lease_until__lte=now)
    free = (
        RunItem.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(Q(state=State.WAITING) | dropped, run=run_id, run__state=InferenceRun.State.RUNNING)
        .order_by("position", "id")
    )
    found = list(free[:most])
    for item in found:
        item.deaths += item.state == State.RUNNING
    lost = [item for item in found if item.deaths >= MOST_DEATHS]
    if lost:
        RunItem.objects.filter(pk__in=[item.pk for item in lost]).update(
            state=State.FAILED, code="gave_up", reason=GAVE_UP, step="", lease_until=None,
            finished_at=now,
        )  # fmt: skip
    fresh = [item for item in found if not item.deaths]
    suspects = [item for item in found if 0 < item.deaths < MOST_DEATHS]
    taken = fresh or suspects[:1]
    for item in taken:
        item.state, item.attempts, item.lease_until = State.RUNNING, item.attempts + 1, _until()
    RunItem.objects.bulk_update(taken, ["state", "attempts", "deaths", "lease_until"])
    return taken if taken or not lost else take_items(run_id, most)


@contextmanager
def locked(item: RunItem) -> Iterator[None]:
    """A transaction in which the item's row is locked and still this attempt's.

    Raises Overtaken, with nothing written, where another attempt has it or it was cancelled.
    """
    with transaction.atomic():
        held = RunItem.objects.select_for_update().filter(
            pk=item.pk, state=State.RUNNING, attempts=item.attempts
        )
        if held.first() is None:
            raise Overtaken
        yield


def show_step(item: RunItem, step: str) -> None:
    held = RunItem.objects.filter(pk=item.pk, state=State.RUNNING, attempts=item.attempts)
    if not held.update(step=step[:80], lease_until=_until()):
        raise Overtaken


def put_back(items: Sequence[RunItem]) -> None:
    """Let somebody else do them, as if they had not been taken."""
    for item in items:
        RunItem.objects.filter(pk=item.pk, state=State.RUNNING, attempts=item.attempts).update(
            state=State.WAITING, lease_until=None, step=""
        )


class Heart:
    """Renews the leases of whatever is held, from a thread, since a model may think for minutes."""

    def __init__(self) -> None:
        self._held: dict[int, int] = {}
        self._lock = Lock()
        self._stop = Event()
        self._thread = Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Heart:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()

    def hold(self, items: Sequence[RunItem]) -> None:
        with self._lock:
            self._held.update({item.pk: item.attempts for item in items})

    def release(self, item: RunItem) -> None:
        with self._lock:
            self._held.pop(item.pk, None)

    def _beat(self) -> None:
        while not self._stop.wait(settings.VERICAP_ITEM_LEASE_SECONDS / 4):
            with self._lock:
                held = dict(self._held)
            try:
                for key, attempts in held.items():
                    RunItem.objects.filter(pk=key, attempts=attempts, state=State.RUNNING).update(
                        lease_until=_until()
                    )
            except DatabaseError:
                log.warning("A worker could not show that it is alive.")
            finally:
                connection.close()


def _until() -> datetime:
    return timezone.now() + timedelta(seconds=settings.VERICAP_ITEM_LEASE_SECONDS)
