"""Every task of this app, for Celery to find."""

from annotate.jobs.tasks import requeue_jobs, work_on_job

__all__ = ["requeue_jobs", "work_on_job"]
