"""Messages that wake a worker. The rows are the truth, so a lost message only costs time."""

from __future__ import annotations

from functools import partial

from celery import current_app
from django.db import transaction


def wake_worker(task: str, *ids: int, queue: str, seconds: float = 0) -> None:
    """Send a message to the task of this name once the rows are committed, with a delay.

    The name is enough: a process that only wakes a worker doesn't load the code of the task. If the
    broker is unavailable, `requeue_jobs` sends the message again.
    """
    send = partial(current_app.send_task, task, args=ids, queue=queue, countdown=seconds)
    transaction.on_commit(send, robust=True)
