"""The task that writes entries of the ledger."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError


@shared_task(name="review.record_pay", autoretry_for=(OperationalError,), max_retries=1)
def record_pay() -> None:
    """Write the entries of finished work in each project that pays people."""
    # Import here: a process that only queues the task must not load the code that does the work.
    from review.pay.services import record_all_pay

    record_all_pay()
