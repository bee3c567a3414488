"""What a worker does for an import: an id in, one service call."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError


@shared_task(
    name="annotate.import_video",
    autoretry_for=(OperationalError,),
    retry_backoff=5,
    max_retries=5,
)
def import_video(item_id: int) -> None:
    # Imported here: whoever only queues the task must not load the video libraries.
    from annotate.imports.services.running import run_import

    run_import(item_id=item_id)


@shared_task(name="annotate.requeue_imports", autoretry_for=(OperationalError,), max_retries=1)
def requeue_imports() -> None:
    from annotate.imports.services import requeue_imports as requeue

    requeue()
