"""What workers do about imports, done here."""

from __future__ import annotations

from annotate.jobs.services.working import work_on
from annotate.models import ImportBatch, ImportItem


def run_import(*, item_id: int) -> None:
    """Import what waits in the file's batch."""
    work_on(job_id=ImportItem.objects.values_list("batch", flat=True).get(pk=item_id))


def run_imports() -> None:
    """Import everything that waits."""
    for key in ImportBatch.objects.values_list("pk", flat=True):
        work_on(job_id=key)
