"""One worker at a time on a run that asks a model, known by when its lease ends.

A worker that is silent for longer than a lease, because its server is, is taken for dead. Once it
is back it finds that another has the run; what it was answered meanwhile is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import OperationalError
from django.db.models import Q, QuerySet
from django.utils import timezone

from inference.backends.protocols import BackendError

Run = Any
LEASE = timedelta(minutes=10)


class Stopped(Exception):
    """Nothing more is to be asked: the run was stopped, or another worker has it."""


def work_through(run: Run, work: Callable[..., None], end: Callable[..., bool]) -> None:
    """Do the `work`, unless another worker is at it, and `end` the run, with the reason where it
    can't go on. Safe to run twice, also at once, and after a killed worker, if the work is.

    `work` calls `go_on` before it asks for more. What it raises but Stopped and BackendError is
    raised again.
    """
    if not _hold(run, Q(lease_until__lt=timezone.now())):
        return
    try:
        work(run)
        _end(run, end, run.State.FINISHED)
    except Stopped:
        pass
    except BackendError as error:
        _end(run, end, run.State.STOPPED, str(error))
    except OperationalError:
        # The task is tried again soon, and is to find the run free.
        _runs(run).filter(lease_until=run.lease_until).update(lease_until=timezone.now())
        raise
    except Exception as error:
        # Else every worker would break off in the same place; the log of this one has the rest.
        _end(run, end, run.State.STOPPED, f"It broke off: {error or type(error).__name__}")
        raise


def go_on(run: Run) -> None:
    """The lease begins anew. Raises Stopped where the run was stopped, or is another worker's."""
    if not _hold(run, Q(lease_until=run.lease_until)):
        raise Stopped


def _hold(run: Run, is_free: Q) -> bool:
    """Whether the run goes on and `is_free`; then it is this worker's for a while longer. Whoever
    takes it over later has a lease that ends later."""
    until = timezone.now() + LEASE
    if not _runs(run).filter(is_free).update(lease_until=until):
        return False
    run.lease_until = until
    return True


def _end(run: Run, end: Callable[..., bool], state: str, reason: str = "") -> None:
    """What befalls a worker that was taken for dead says nothing about the run."""
    if _hold(run, Q(lease_until=run.lease_until)):
        end(run, state, reason)


def _runs(run: Run) -> QuerySet[Any]:
    runs: QuerySet[Any] = type(run)._default_manager.filter(pk=run.pk, state=run.State.RUNNING)
    return runs
