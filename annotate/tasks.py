"""Every task of this app, for Celery to find."""

from annotate.jobs.tasks import requeue_jobs, work_on_job
from annotate.webhooks.tasks import send_webhooks

__all__ = ["requeue_jobs", "send_webhooks", "work_on_job"]
