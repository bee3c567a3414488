"""The worker task of webhooks. Its messages only wake a worker: the rows are the truth."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError


@shared_task(
    name="annotate.send_webhooks",
    autoretry_for=(OperationalError,),
    retry_backoff=5,
    max_retries=5,
)
def send_webhooks(webhook_id: int) -> None:
    # Import here: a process that only queues the task needs no HTTP client.
    from annotate.webhooks.services.sending import send_due

    send_due(webhook_id=webhook_id)
