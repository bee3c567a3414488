"""What workers do: an id in, one service call."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError


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
