"""Import a published set of triplets, as a job."""

from __future__ import annotations

import io
from dataclasses import dataclass

from django.urls import reverse

from annotate import file_store
from annotate.jobs.file_imports import FileImport, read_typed, start_file_import
from annotate.jobs.kinds import Lease, Outcome
from annotate.models import Project, User
from annotate.models.jobs import Job
from annotate.stored_json import as_json
from review.triplets.set_import import import_published_set

IMPORT_SET = "import-triplets"
FILE = "set"


@dataclass(frozen=True)
class TypedSet:
    format: str


class ImportTripletSet(FileImport[None]):
    name = IMPORT_SET
    label = "Import triplets"
    busy = "Triplets are being imported. Wait until that is done, or cancel it under Jobs."
    again = "under Triplets → Import triplets"
    link = "See the triplets"

    def check(self, job: Job, lease: Lease) -> None:
        lease.step("Comparing the files with the project")

    def save(self, job: Job, checked: None) -> Outcome:
        return Outcome(
            import_published_set(
                project=job.project,
                file=io.BytesIO(file_store.read_job_file(job.pk, FILE)),
                file_name=job.title,
                format=read_typed(job, TypedSet).format,
                admin=job.created_by,
            )
        )

    def url(self, job: Job) -> str:
        name = "review:triplets" if job.state == Job.State.DONE else "review:import_triplets"
        return reverse(name, args=[job.project.slug])


def start_set_import(
    *, project: Project, format: str, file_name: str, data: bytes, admin: User
) -> Job:
    """Start a job that imports the ZIP of a set. Raises JobInProgress during another import."""
    job = Job(
        project=project,
        kind=IMPORT_SET,
        lane="all",
        title=file_name[:200],
        parameters={"typed": as_json(TypedSet(format))},
        created_by=admin,
    )
    return start_file_import(job, {FILE: data})
