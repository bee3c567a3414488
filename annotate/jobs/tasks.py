"""Worker tasks of jobs: each takes a job's id and makes one service call. The items are in the
database.
"""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError


@shared_task(
    name="annotate.work_on_job",
    autoretry_for=(OperationalError,),
    retry_backoff=5,
    max_retries=5,
)
def work_on_job(job_id: int) -> None:
    # Import here: a process that only queues the task must not load the code that does the work.
    from annotate.jobs.services.working import work_on

    work_on(job_id=job_id)


@shared_task(name="annotate.requeue_jobs", autoretry_for=(OperationalError,), max_retries=1)
def requeue_jobs() -> None:
    """Resume jobs, deliveries to webhooks and the index of captions, where a killed worker or a
    lost message left them."""
    from annotate.jobs.services.queueing import requeue_jobs as requeue
    from annotate.search.services import requeue_index
    from annotate.webhooks.services.announcing import requeue_deliveries

    requeue()
    requeue_deliveries()
    requeue_index()
