"""Every task of this app, for Celery to find."""

from annotate.jobs.tasks import requeue_jobs, work_on_job
from annotate.notices.tasks import send_notices
from annotate.search.tasks import index_captions
from annotate.webhooks.tasks import send_webhooks

__all__ = ["index_captions", "requeue_jobs", "send_notices", "send_webhooks", "work_on_job"]
