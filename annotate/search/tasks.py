"""The worker task of the index. Its messages only wake a worker: captions without a row wait."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError


@shared_task(
    name="annotate.index_captions",
    autoretry_for=(OperationalError,),
    retry_backoff=5,
    max_retries=5,
)
def index_captions() -> None:
    from annotate.search.services import index_for_a_minute

    index_for_a_minute()
