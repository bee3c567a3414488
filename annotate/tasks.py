"""Every task of this app, for Celery to find."""

from annotate.imports.tasks import import_video, requeue_imports
from annotate.jobs.tasks import requeue_jobs, work_on_job

__all__ = ["import_video", "requeue_imports", "requeue_jobs", "work_on_job"]
