"""Import labeled clips as a job."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from django.db import transaction
from django.urls import reverse

from annotate import file_store
from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.importing import IMPORT_DATASET, read_job_dataset
from annotate.datasets.services import import_dataset
from annotate.errors import Refused
from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.single_step import SingleStepKind
from annotate.models.jobs import AbstractJobItem, Job


class ImportDataset(SingleStepKind[dict[str, Any]]):
    name = IMPORT_DATASET
    label = "Import labeled clips"
    busy = "Labeled clips are being imported. Wait until that is done, or cancel it under Jobs."

    def work(self, job: Job, lease: Lease) -> dict[str, Any]:
        lease.step("Reading the files")
        dataset = read_job_dataset(job)
        lease.step("Comparing them with the project")
        return dataset

    def store(self, job: Job, result: dict[str, Any]) -> Outcome:
        try:
            imported = import_dataset(project=job.project, admin=job.created_by, **result)
        except DatasetInvalid as error:
            return Outcome(
                state=AbstractJobItem.State.FAILED,
                reason=str(error),
                values={
                    "details": {
                        "faults": [asdict(fault) for fault in error.faults],
                        "total": error.total,
                    }
                },
            )
        return Outcome(str(imported))

    def ended(self, job: Job) -> None:
        transaction.on_commit(partial(file_store.remove_job_files, job.pk))

    def may_resume(self, job: Job) -> None:
        raise Refused("The files are gone. Choose them again on the page Import labeled clips.")

    def url(self, job: Job) -> str:
        name = "annotate:labels" if job.state == Job.State.DONE else "annotate:dataset"
        return reverse(name, args=[job.project.slug])
