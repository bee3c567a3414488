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
def recompute(project_id: int, name: str) -> None:
    from annotate.models import Project
    from review.services.recomputing import recompute as recompute_now

    recompute_now(project=Project.objects.get(pk=project_id), name=name)
