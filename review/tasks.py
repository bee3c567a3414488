"""All tasks of this app that are not jobs, for Celery to find."""

from review.pay.tasks import record_pay

__all__ = ["record_pay"]
