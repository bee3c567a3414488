"""A worker's steps besides its tasks: check that it can work, send heartbeats, and continue the
jobs of workers that were killed."""

from __future__ import annotations

import logging
import os
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from celery import bootsteps

if TYPE_CHECKING:
    from celery.apps.worker import Worker
    from celery.worker.consumer import Consumer

logger = logging.getLogger(__name__)
# A process that is forked during a heartbeat would inherit SQLite's locks.
_beating = Lock()
os.register_at_fork(
    before=_beating.acquire, after_in_parent=_beating.release, after_in_child=_beating.release
)


class MediaFolder(bootsteps.Step):
    """Stops a worker that could not store a video, before it takes one.

    A worker for models alone only reads the videos, so its folder may be read-only.
    """

    def __init__(self, worker: Worker, **options: Any) -> None:
        super().__init__(worker, **options)
        from config.folders import require_media_folder  # it needs Django to be set up

        if set(worker.app.amqp.queues.consume_from) != {"gpu"}:
            require_media_folder()


class Heartbeat(bootsteps.StartStopStep):
    """Runs while the worker is connected to its broker: Celery stops it when the connection goes.

    A thread, because a worker without child processes computes in its main thread.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Consumer, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._end = Event()
        self._thread: Thread | None = None

    def start(self, consumer: Consumer) -> None:
        from annotate.jobs.workers import BEAT_SECONDS  # it needs Django to be set up

        self._end = Event()
        queues = list(consumer.app.amqp.queues.consume_from)
        self._thread = Thread(
            target=_beat,
            args=(consumer.hostname, queues, BEAT_SECONDS, self._end),
            name="heartbeat",
            daemon=True,
        )
        self._thread.start()

    def stop(self, consumer: Consumer) -> None:
        self._end.set()

    shutdown = stop


def _beat(worker: str, queues: list[str], seconds: float, end: Event) -> None:
    from django.db import DatabaseError, connection

    from annotate.jobs.services.queueing import requeue_jobs_of_dead_workers
    from annotate.jobs.services.workers import forget_old_beats, record_beat

    is_failing, is_first = False, True
    while True:
        try:
            with _beating:
                record_beat(worker=worker, queues=queues)
                requeue_jobs_of_dead_workers()
                if is_first:
                    forget_old_beats()
                connection.close()  # nothing to inherit, and no lock held for long
            is_failing = is_first = False
        except DatabaseError as error:
            connection.close()
            if not is_failing:
                logger.warning("The heartbeat could not be stored: %s", error)
            is_failing = True
        if end.wait(seconds):
            return
