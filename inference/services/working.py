"""What a worker does with a run: item after item, until none is left or its turn is over.

While items wait there is exactly one message about the run in the broker. Whoever takes it sends
the next as soon as it has items in hand, so that every free worker joins in, and leaves after
TURN_SECONDS, so that other runs get their turn.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.db import OperationalError, transaction
from django.utils import timezone

from annotate.media.errors import MediaError
from annotate.services.audit import record_event
from inference.backends.protocols import BackendError
from inference.errors import Overtaken, RunStopped
from inference.kinds import open_work
from inference.kinds.base import BatchWork, Hold, ItemFailed, Outcome, SingleWork
from inference.models import InferenceRun, RunItem
from inference.services.holding import Heart, locked, put_back, show_step, take_items
from inference.services.queueing import queue_run
from inference.services.staleness import mark_stale, put_in_force

log = logging.getLogger(__name__)
State = RunItem.State
RunState = InferenceRun.State

TURN_SECONDS = 60.0
FAILED = (
    "Something went wrong here that is not the clip's fault as far as we know. Retry it; if it "
    "stays, tell whoever runs the server (the worker's log has the details)."
)


def work_on(*, run_id: int) -> None:
    """Work on the run until nothing is left or the turn is over. Safe to be called twice."""
    run = InferenceRun.objects.select_related("project", "model").get(pk=run_id)
    if run.state != RunState.RUNNING:
        return
    items = _take(run, 1)
    if not items:
        finish_if_done(run)
        return
    with Heart() as heart:
        heart.hold(items)  # a large model may take longer to load than a lease lasts
        try:
            work = open_work(run)
        except BackendError as error:
            put_back(items)
            stop_run(run, str(error))
            return
        except BaseException:
            put_back(items)
            raise
        _send_for_others(run)
        if isinstance(work, BatchWork):
            _Batches(run, work, heart).go(items)
        else:
            _one_by_one(run, work, heart, items)
    finish_if_done(run)


def _take(run: InferenceRun, most: int) -> list[RunItem]:
    items = take_items(run.pk, most)
    for item in items:
        item.run = run
    return items


@transaction.atomic
def finish_if_done(run: InferenceRun) -> None:
    # Locked, so that no retry queues an item between the question and the answer.
    held = InferenceRun.objects.select_for_update(of=("self",)).get(pk=run.pk)
    left = held.items.filter(state__in=[State.WAITING, State.RUNNING])
    if held.state != RunState.RUNNING or left.exists():
        return
    # What a cancelled run left out, it leaves out still after what failed was retried alone.
    left_out = held.items.filter(state=State.CANCELLED).exists()
    held.state = RunState.CANCELLED if left_out else RunState.FINISHED
    held.finished_at = timezone.now()
    held.save(update_fields=["state", "finished_at"])
    # A newer run may have outdated its recipe, or what went in, while it was still at work.
    mark_stale(held)
    record_event(actor=None, verb="finish run", subject=held, project=run.project)


def stop_run(run: InferenceRun, reason: str) -> None:
    """The model can't be used at all: nothing is failed, all of it waits until that is mended."""
    InferenceRun.objects.filter(pk=run.pk, state=RunState.RUNNING).update(
        state=RunState.STOPPED, reason=reason[:500]
    )


def _send_for_others(run: InferenceRun) -> None:
    if run.items.filter(state=State.WAITING).exists():
        queue_run(run)


class _Batches:
    """Reads the next batch in a thread while the model works on this one."""

    def __init__(self, run: InferenceRun, work: BatchWork[Any, Any, Any], heart: Heart) -> None:
        self.run, self.work, self.heart = run, work, heart
        self.ends = time.monotonic() + TURN_SECONDS

    def go(self, items: list[RunItem]) -> None:
        with ThreadPoolExecutor(1, "read") as reader:
            batch = self._begin(reader, items)
            while batch:
                following = self._begin(reader, self._take())
                try:
                    self._do(*batch)
                except RunStopped as error:
                    put_back([*batch[0], *(following[0] if following else [])])
                    stop_run(self.run, str(error))
                    return
                batch = following

    def _take(self) -> list[RunItem]:
        if time.monotonic() >= self.ends:
            return []
        items = _take(self.run, self.work.batch_size)
        self.heart.hold(items)
        return items

    def _begin(self, reader: ThreadPoolExecutor, items: list[RunItem]) -> Any:
        if not items:
            return None
        jobs = self.work.describe(items)
        return items, jobs, [reader.submit(self.work.read, job) for job in jobs]

    def _do(self, items: list[RunItem], jobs: list[Any], reads: list[Future[Any]]) -> None:
        started = time.monotonic()
        results: list[Any] = [read.exception() for read in reads]
        readable = [n for n, error in enumerate(results) if error is None]
        if readable:
            done = self._compute([jobs[n] for n in readable], [reads[n].result() for n in readable])
            for n, result in zip(readable, done, strict=True):
                results[n] = result
        seconds = (time.monotonic() - started) / len(items)
        stopped_by = None
        for item, job, result in zip(items, jobs, results, strict=True):
            if concerns_all(result):
                stopped_by = result
                continue
            if isinstance(result, BaseException):
                record_failure(item, result)
            else:
                record_done(item, partial(self.work.store, item, job, result), seconds)
            self.heart.release(item)
        if stopped_by is not None:
            raise RunStopped(str(stopped_by))

    def _compute(self, jobs: Sequence[Any], materials: Sequence[Any]) -> Sequence[Any]:
        try:
            return self.work.compute(jobs, materials)
        except Exception as error:
            if len(jobs) == 1:
                return [error]
        # One of them spoils the batch: find out which.
        return [
            self._compute([job], [material])[0]
            for job, material in zip(jobs, materials, strict=True)
        ]


def _one_by_one(run: InferenceRun, work: SingleWork, heart: Heart, items: list[RunItem]) -> None:
    ends = time.monotonic() + TURN_SECONDS
    while items:
        (item,) = items
        started = time.monotonic()
        hold = Hold(step=partial(show_step, item), saving=partial(locked, item))
        try:
            result = work.do(item, hold)
        except Overtaken:
            log.warning("%s was taken up by another worker or canceled.", item)
        except Exception as error:
            if isinstance(error, RunStopped) or concerns_all(error):
                put_back(items)
                stop_run(run, str(error))
            else:
                record_failure(item, error)
        else:
            seconds = time.monotonic() - started
            record_done(item, partial(work.finish, item, result), seconds)
        heart.release(item)
        items = _take(run, 1) if time.monotonic() < ends else []
        heart.hold(items)


def concerns_all(result: object) -> bool:
    """A server that is not there says nothing about the item that was to be sent to it."""
    return isinstance(result, BackendError) and result.concerns_all


def record_done(item: RunItem, store: Any, seconds: float) -> None:
    """Store the result and mark the item done, both or neither."""
    try:
        with _locked_to_store(item):
            outcome: Outcome = store()
            RunItem.objects.filter(pk=item.pk).update(
                state=State.DONE,
                step="",
                code="",
                reason="",
                stale_because="",
                note=outcome.note[:300],
                result_id=outcome.result_id,
                seconds=seconds,
                lease_until=None,
                finished_at=timezone.now(),
            )
            if not item.run.has_results:
                put_in_force(item.run)
    except Overtaken:
        log.warning("%s was taken up by another worker or canceled; nothing is stored.", item)
    except OperationalError:
        raise
    except Exception as error:
        record_failure(item, error)


@contextmanager
def _locked_to_store(item: RunItem) -> Iterator[None]:
    with transaction.atomic():
        if not item.run.has_results:
            # A first result changes the run's row too: locked before the item, as cancelling does.
            InferenceRun.objects.select_for_update(no_key=True).get(pk=item.run_id)
        with locked(item):
            yield


def record_failure(item: RunItem, error: BaseException) -> None:
    """Say on the row what befell the item; whatever it stored before stays."""
    if isinstance(error, OperationalError) or not isinstance(error, Exception):
        put_back([item])
        raise error
    if isinstance(error, (BackendError, ItemFailed, MediaError)):
        code, reason = error.code, str(error)
    else:
        log.error("%s failed.", item, exc_info=error)
        code, reason = "failed", FAILED
    RunItem.objects.filter(pk=item.pk, state=State.RUNNING, attempts=item.attempts).update(
        state=State.FAILED,
        code=code,
        reason=reason[:500],
        step="",
        lease_until=None,
        finished_at=timezone.now(),
    )
