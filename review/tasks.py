"""Every task of this app that is no job, for Celery to find."""

from review.pay.tasks import record_pay

__all__ = ["record_pay"]
