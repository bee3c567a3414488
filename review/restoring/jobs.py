"""Restore the content of a release as a job."""

from __future__ import annotations

import io
from dataclasses import dataclass

from django.urls import reverse

from annotate import file_store
from annotate.datasets.faults import LeftOut
from annotate.jobs.file_imports import FileImport, read_typed, start_file_import
from annotate.jobs.kinds import Lease, Outcome
from annotate.models import Project, User
from annotate.models.jobs import Job
from annotate.stored_json import as_json
from review.restoring.services import RestoreOptions, import_release

IMPORT_RELEASE = "import-release"
FILE = "release"


@dataclass(frozen=True)
class TypedRelease:
    format: str
    skips_bad: bool


class ImportRelease(FileImport[None]):
    name = IMPORT_RELEASE
    label = "Import a release"
    busy = "A release is being imported. Wait until that is done, or cancel it under Jobs."
    again = "under Releases → Import a release"
    link = "See the releases"

    def check(self, job: Job, lease: Lease) -> None:
        lease.step("Comparing the release with the project")

    def save(self, job: Job, checked: None) -> Outcome:
        typed = read_typed(job, TypedRelease)
        restored = import_release(
            project=job.project,
            file=io.BytesIO(file_store.read_job_file(job.pk, FILE)),
            file_name=job.title,
            format=typed.format,
            options=RestoreOptions(skips_bad=typed.skips_bad),
            admin=job.created_by,
        )
        return Outcome(restored.sentence, values=LeftOut(restored.skipped).values)

    def url(self, job: Job) -> str:
        name = "review:releases" if job.state == Job.State.DONE else "review:import_release"
        return reverse(name, args=[job.project.slug])


def start_release_import(
    *, project: Project, format: str, file_name: str, data: bytes, skips_bad: bool, admin: User
) -> Job:
    """Start a job that imports the ZIP of a release. Raises JobInProgress during another import."""
    job = Job(
        project=project,
        kind=IMPORT_RELEASE,
        lane="all",
        title=file_name[:200],
        parameters={"typed": as_json(TypedRelease(format, skips_bad))},
        created_by=admin,
    )
    return start_file_import(job, {FILE: data})
