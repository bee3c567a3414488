"""What workers do about imports, done here."""

from __future__ import annotations

from annotate.jobs.services.working import work_on
from annotate.models import ImportBatch, ImportItem, Job


def run_import(*, item_id: int) -> None:
    """Import what waits in the file's batch."""
    work_on(job_id=ImportItem.objects.values_list("batch", flat=True).get(pk=item_id))


def run_imports() -> None:
    """Import everything that waits."""
    for key in ImportBatch.objects.values_list("pk", flat=True):
        work_on(job_id=key)


def run_file_import(kind: str) -> Job:
    """Do the newest job of this kind, which imports an uploaded file."""
    job = Job.objects.filter(kind=kind).latest("pk")
    work_on(job_id=job.pk)
    job.refresh_from_db()
    return job
