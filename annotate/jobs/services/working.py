"""Work on a job until no item is left or the turn is over.

While items wait there is exactly one message about the job in the broker. The worker that takes it
sends the next as soon as it has items in hand, so that every free worker joins in, and leaves after
TURN_SECONDS, so that other jobs get their turn.
"""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import Any

from django.db import OperationalError

from annotate.errors import ItemFailed, ItemLost, JobStopped, Refused
from annotate.jobs.kinds import BatchWork, Lease, StepsWork, job_kind
from annotate.jobs.services.batches import Batches
from annotate.jobs.services.ending import end_if_done, end_job
from annotate.jobs.services.leases import Heartbeat, has_any, locked, release, show_step, take_items
from annotate.jobs.services.planning import plan_job
from annotate.jobs.services.queueing import nudge
from annotate.jobs.services.results import concerns_all, record_done, record_failure
from annotate.models.jobs import AbstractJobItem, Job

log = logging.getLogger(__name__)
State = AbstractJobItem.State

TURN_SECONDS = 60.0


def work_on(*, job_id: int) -> None:
    """Plan the job if needed, and work on it until nothing is left or the turn is over. Safe to
    repeat, also concurrently.
    """
    job = Job.objects.filter(pk=job_id).first()
    if job is None or not job.is_active or not plan_job(job):
        return
    job = job_kind(job.kind).load(job_id)
    items = take_items(job, 1)
    if items:
        _work(job, items)
    end_if_done(job_id)


def _work(job: Job, items: list[AbstractJobItem]) -> None:
    Job.objects.filter(pk=job.pk, state=Job.State.WAITING).update(state=Job.State.RUNNING)
    with Heartbeat() as heartbeat:
        heartbeat.hold(items)  # a large model can take longer to load than a lease lasts
        try:
            work = job_kind(job.kind).open(job)
        except (ItemFailed, JobStopped, Refused) as error:
            release(items)
            end_job(job.pk, Job.State.FAILED, str(error))
            return
        except BaseException:
            release(items)
            raise
        _send_for_others(job)
        ends = time.monotonic() + TURN_SECONDS
        try:
            if isinstance(work, BatchWork):
                Batches(job, work, heartbeat, ends).work_through(items)
            else:
                work_in_steps(job, work, heartbeat, items, ends)
        except JobStopped as error:
            end_job(job.pk, Job.State.FAILED, str(error))


def _send_for_others(job: Job) -> None:
    if job_kind(job.kind).items(job.pk).filter(state=State.WAITING).exists():
        nudge(job)


def work_in_steps(
    job: Job,
    work: StepsWork[Any, Any],
    heartbeat: Heartbeat,
    items: list[AbstractJobItem],
    ends: float,
) -> None:
    """Process these items and the following ones until the turn `ends`, a time of the monotonic
    clock. Raises JobStopped, after releasing all leased items.
    """
    while items:
        try:
            _do(job, work, items)
        finally:
            for item in items:
                work.attempted(item)
        for item in items:
            heartbeat.let_go(item)
        items = take_items(job, work.batch_size) if time.monotonic() < ends else []
        heartbeat.hold(items)


def _do(job: Job, work: StepsWork[Any, Any], items: list[AbstractJobItem]) -> None:
    started = time.monotonic()
    leases = [Lease(partial(show_step, item), partial(locked, item)) for item in items]
    try:
        with job_kind(job.kind).counting(job, items):
            results = work.do_all(items, leases)
    except Exception as error:
        results = [error] * len(items)
    seconds = (time.monotonic() - started) / len(items)
    stopped_by: dict[AbstractJobItem, Exception] = {}
    try:
        for item, result in zip(items, results, strict=True):
            if isinstance(result, JobStopped) or concerns_all(result):
                stopped_by[item] = result
            elif isinstance(result, ItemLost):
                log.warning("%s was taken by another worker or cancelled.", item)
            elif isinstance(result, Exception):
                record_failure(item, result)
            else:
                record_done(job, item, partial(work.finish, item, result), seconds)
    except OperationalError:
        release(items)
        raise
    # An error of a worker that was presumed dead doesn't affect the job.
    if stopped_by and has_any(list(stopped_by)):
        release(list(stopped_by))
        reason = next(iter(stopped_by.values()))
        raise JobStopped(str(reason)) from reason
