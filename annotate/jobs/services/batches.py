"""Work in batches: a thread reads the next batch while the model works on this one."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import OperationalError

from annotate.errors import ItemLost, JobStopped
from annotate.jobs.kinds import BatchWork, Measured, job_kind
from annotate.jobs.services.leases import Heartbeat, has_any, release, take_items
from annotate.jobs.services.results import concerns_all, record_done, record_failure
from annotate.models.jobs import AbstractJobItem, Job

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Material:
    """The material read for one task, and the seconds that took."""

    read: object
    seconds: float


@dataclass(frozen=True)
class _Batch:
    items: list[AbstractJobItem]
    tasks: list[object]
    reads: list[Future[_Material]]


class Batches:
    """The batches of one worker's turn, which ends at `ends` of the monotonic clock."""

    def __init__(
        self, job: Job, work: BatchWork[Any, Any, Any, Any], heartbeat: Heartbeat, ends: float
    ) -> None:
        self.job, self.work, self.heartbeat, self.ends = job, work, heartbeat, ends

    def work_through(self, items: list[AbstractJobItem]) -> None:
        """Process the items. Raises JobStopped, after releasing all leased items."""
        with ThreadPoolExecutor(1, "read") as reader:
            batch = self._begin(reader, items)
            while batch:
                following = self._begin(reader, self._take())
                try:
                    self._do(batch)
                except (JobStopped, OperationalError):
                    release([*batch.items, *(following.items if following else [])])
                    raise
                batch = following

    def _take(self) -> list[AbstractJobItem]:
        if time.monotonic() >= self.ends:
            return []
        items = take_items(self.job, self.work.batch_size)
        self.heartbeat.hold(items)
        return items

    def _begin(self, reader: ThreadPoolExecutor, items: list[AbstractJobItem]) -> _Batch | None:
        if not items:
            return None
        tasks = self.work.describe(items)
        return _Batch(items, tasks, [reader.submit(self._read, task) for task in tasks])

    def _read(self, task: object) -> _Material:
        started = time.monotonic()
        material = self.work.read(task)
        return _Material(material, time.monotonic() - started)

    def _do(self, batch: _Batch) -> None:
        started = time.monotonic()
        results: list[Any] = [read.exception() for read in batch.reads]
        readable = [n for n, error in enumerate(results) if error is None]
        computing = time.monotonic()
        if readable:
            computed = self._compute(
                [batch.items[n] for n in readable],
                [batch.tasks[n] for n in readable],
                [batch.reads[n].result().read for n in readable],
            )
            for n, result in zip(readable, computed, strict=True):
                results[n] = result
        ended = time.monotonic()
        seconds = (ended - started) / len(batch.items)
        compute_seconds = (ended - computing) / max(1, len(readable))
        stopped_by: dict[AbstractJobItem, object] = {}
        for item, task, read, result in zip(
            batch.items, batch.tasks, batch.reads, results, strict=True
        ):
            if concerns_all(result) or isinstance(result, JobStopped):
                stopped_by[item] = result
                continue
            if isinstance(result, ItemLost):
                log.warning("%s was taken by another worker or cancelled.", item)
            elif isinstance(result, BaseException):
                record_failure(item, result)
            else:
                store = partial(self.work.store, item, task, result)
                measured = Measured(read.result().seconds, compute_seconds)
                record_done(self.job, item, store, seconds, measured)
            self.heartbeat.let_go(item)
        # An error of a worker that was presumed dead doesn't affect the job.
        if stopped_by and has_any(list(stopped_by)):
            raise JobStopped(str(next(iter(stopped_by.values()))))

    def _compute(
        self, items: Sequence[AbstractJobItem], tasks: Sequence[Any], materials: Sequence[Any]
    ) -> Sequence[Any]:
        try:
            with job_kind(self.job.kind).counting(self.job, items):
                return self.work.compute(tasks, materials)
        except Exception as error:
            if len(tasks) == 1 or concerns_all(error) or isinstance(error, ItemLost | JobStopped):
                return [error] * len(tasks)
        # One item breaks the batch: find out which.
        return [
            self._compute([item], [task], [material])[0]
            for item, task, material in zip(items, tasks, materials, strict=True)
        ]
