"""What workers do: a run's id in, one service call. The items are in the database."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError


@shared_task(
    name="inference.work_on_run",
    autoretry_for=(OperationalError,),
    retry_backoff=5,
    max_retries=5,
)
def work_on_run(run_id: int) -> None:
    # Imported here: whoever only queues the task must not load the video libraries.
    from inference.services.working import work_on

    work_on(run_id=run_id)


@shared_task(name="inference.requeue_runs", autoretry_for=(OperationalError,), max_retries=1)
def requeue_runs() -> None:
    from inference.services.queueing import requeue_runs as requeue

    requeue()
