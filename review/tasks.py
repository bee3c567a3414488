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


@shared_task(
    name="review.generate_triplets",
    autoretry_for=(OperationalError,),
    retry_backoff=5,
    max_retries=5,
)
def generate_triplets(set_id: int) -> None:
    from review.triplets.models import TripletSet
    from review.triplets.sets import generate

    generate(triplets=TripletSet.objects.select_related("project").get(pk=set_id))


@shared_task(name="review.requeue_triplets", autoretry_for=(OperationalError,), max_retries=1)
def requeue_triplets() -> None:
    """Take up what a killed worker or a lost message left."""
    from review.triplets.models import TripletSet

    for key in TripletSet.objects.filter(state="running").values_list("pk", flat=True):
        generate_triplets.delay(key)


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
