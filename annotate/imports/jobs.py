"""Import videos as a job."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.urls import reverse

from annotate import file_store
from annotate.imports.services.refusals import GAVE_UP, TRY_AGAIN
from annotate.jobs.kinds import AnyWork, JobKind
from annotate.models.imports import IMPORT_VIDEOS, ImportBatch, ImportItem
from annotate.models.jobs import AbstractJobItem, Job


class ImportVideos(JobKind[ImportBatch, ImportItem]):
    name = IMPORT_VIDEOS
    label = "Import videos"
    noun = ("file", "files")
    gave_up = GAVE_UP
    job_model = ImportBatch
    item_model = ImportItem
    owner = "batch"
    resumes_cancelled = False  # the bytes of canceled files are gone
    has_uploads = True

    def plan(self, job: ImportBatch) -> Sequence[ImportItem]:
        """Return no items, because files are announced one by one."""
        return []

    def open(self, job: ImportBatch) -> AnyWork:
        # Imported here: it loads the video libraries, which a web process must not load.
        from annotate.imports.services.running import ImportWork

        return ImportWork()

    def ended(self, job: ImportBatch) -> None:
        if job.state == Job.State.CANCELLED:
            left_out = job.items.filter(state=AbstractJobItem.State.CANCELLED)
            for key in left_out.values_list("pk", flat=True):
                transaction.on_commit(partial(file_store.remove_incoming, key))

    def may_retry(self, code: str) -> bool:
        return code in TRY_AGAIN

    def url(self, job: ImportBatch) -> str:
        return reverse("annotate:import_batch", args=[job.project.slug, job.pk])
