"""What workers do: an id in, one service call."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError


@shared_task(
    name="review.recompute",
    autoretry_for=(OperationalError,),
    retry_backoff=5,
    max_retries=5,
)
def recompute(project_id: int, name: str, asked: bool = False) -> None:
    """`asked`: a person waits for it, and is told what became of it."""
    from annotate.models import Project
    from review.reports import services

    compute = services.recompute_as_asked if asked else services.recompute_due
    compute(project=Project.objects.get(pk=project_id), name=name)


@shared_task(name="review.requeue_reports", autoretry_for=(OperationalError,), max_retries=1)
def requeue_reports() -> None:
    """Take up what a killed worker or a lost message left."""
    from review.reports import services

    services.requeue_reports()
