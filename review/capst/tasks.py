"""What workers do: an id in, one service call."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError


@shared_task(
    name="review.judge_captions",
    autoretry_for=(OperationalError,),
    retry_backoff=5,
    max_retries=5,
)
def judge_captions(run_id: int) -> None:
    from review.capst.judging import judge
    from review.capst.models import CapstRun

    runs = CapstRun.objects.select_related("project", "caption_set", "extractor", "judge")
    judge(run=runs.get(pk=run_id))


@shared_task(name="review.requeue_capst", autoretry_for=(OperationalError,), max_retries=1)
def requeue_capst() -> None:
    """Take up what a killed worker or a lost message left."""
    from review.capst.runs import requeue_capst_runs

    requeue_capst_runs()
