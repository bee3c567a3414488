"""Store an item's result together with its state, in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import OperationalError
from django.utils import timezone

from annotate.errors import ItemFailed, ItemLost, Refused
from annotate.jobs.kinds import Measured, Outcome, job_kind
from annotate.jobs.services.leases import locked, own_row, release
from annotate.models.jobs import AbstractJobItem, Job

log = logging.getLogger(__name__)
State = AbstractJobItem.State
NOT_MEASURED = Measured()

FAILED = (
    "An unexpected error occurred, probably not because of this item. Retry it; if it "
    "happens again, tell the person who runs the server (the worker's log has the details)."
)


def concerns_all(error: object) -> bool:
    """Return whether the error concerns all items: an unavailable server says nothing about one
    item.
    """
    return isinstance(error, ItemFailed) and error.concerns_all


def record_done(
    job: Job,
    item: AbstractJobItem,
    store: Callable[[], Outcome],
    seconds: float,
    measured: Measured = NOT_MEASURED,
) -> None:
    """Store the result and mark the item as done, both or neither."""
    kind = job_kind(job.kind)
    try:
        with locked(item):
            outcome = store()
            own_row(item).update(
                state=outcome.state,
                step="",
                code="failed" if outcome.state == State.FAILED else "",
                reason=outcome.reason[:500],
                note=outcome.note[:300],
                seconds=seconds,
                lease_until=None,
                finished_at=timezone.now(),
                **outcome.values,
                **kind.measured(job, measured),
            )
            kind.stored(job)
    except ItemLost:
        log.warning("%s was taken by another worker or cancelled; nothing is stored.", item)
    except Exception as error:
        record_failure(item, error)


def record_failure(item: AbstractJobItem, error: BaseException) -> None:
    """Store why the item failed; its earlier results stay."""
    if isinstance(error, OperationalError) or not isinstance(error, Exception):
        release([item])
        raise error
    if isinstance(error, ItemFailed):
        code, reason = error.code, str(error)
    elif isinstance(error, Refused):
        code, reason = "refused", str(error)
    else:
        log.error("%s failed.", item, exc_info=error)
        code, reason = "failed", FAILED
    own_row(item).update(
        state=State.FAILED,
        code=code,
        reason=reason[:500],
        step="",
        lease_until=None,
        finished_at=timezone.now(),
    )
