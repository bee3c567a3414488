"""Import labeled clips as a job."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from annotate.datasets.faults import LeftOut
from annotate.datasets.importing import IMPORT_DATASET, read_job_dataset
from annotate.datasets.services import import_dataset
from annotate.jobs.file_imports import FileImport
from annotate.jobs.kinds import Lease, Outcome
from annotate.models.jobs import Job


class ImportDataset(FileImport[dict[str, Any]]):
    name = IMPORT_DATASET
    label = "Import labeled clips"
    busy = "Labeled clips are being imported. Wait until that is done, or cancel it under Jobs."
    again = "on the page Import labeled clips"
    link = "See the labels"

    def check(self, job: Job, lease: Lease) -> dict[str, Any]:
        lease.step("Reading the files")
        dataset = read_job_dataset(job)
        lease.step("Comparing them with the project")
        return dataset

    def save(self, job: Job, checked: dict[str, Any]) -> Outcome:
        imported = import_dataset(project=job.project, admin=job.created_by, **checked)
        skipped = LeftOut(checked["left_out"] or [])
        return Outcome(f"{imported} {skipped.sentence}".strip(), values=skipped.values)

    def url(self, job: Job) -> str:
        name = "annotate:labels" if job.state == Job.State.DONE else "annotate:dataset"
        return reverse(name, args=[job.project.slug])
