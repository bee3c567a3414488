"""What workers do: an id in, one service call."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError


@shared_task(
    name="review.write_modifications",
    autoretry_for=(OperationalError,),
    retry_backoff=5,
    max_retries=5,
)
def write_modifications(run_id: int) -> None:
    from review.modifications.models import ModificationRun
    from review.modifications.writing import write

    runs = ModificationRun.objects.select_related("project", "model", "prompt")
    write(run=runs.get(pk=run_id))


@shared_task(name="review.requeue_modifications", autoretry_for=(OperationalError,), max_retries=1)
def requeue_modifications() -> None:
    """Take up what a killed worker or a lost message left."""
    from review.modifications.runs import requeue_modification_runs

    requeue_modification_runs()
