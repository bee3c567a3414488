"""Import an annotation table as a job."""

from __future__ import annotations

import io

from django.urls import reverse

from annotate import file_store
from annotate.jobs.file_imports import FileImport, read_typed, row_counter, start_file_import
from annotate.jobs.kinds import Lease, Outcome
from annotate.models import Project, User
from annotate.models.jobs import Job
from annotate.stored_json import as_json
from review.annotation_table.exchange import store_annotations
from review.annotation_table.marks import Marks
from review.annotation_table.reading import Annotation, read_annotations

IMPORT_TABLE = "annotation-table"
TABLE = "table"


class ImportTable(FileImport[list[Annotation]]):
    name = IMPORT_TABLE
    label = "Import an annotation table"
    busy = "A table is being imported. Wait until that is done, or cancel it under Jobs."
    again = "on the page Annotation table"
    link = "See the verifications"

    def check(self, job: Job, lease: Lease) -> list[Annotation]:
        lease.step("Checking the table")
        table = io.BytesIO(file_store.read_job_file(job.pk, TABLE))
        annotations = read_annotations(
            project=job.project,
            lines=io.TextIOWrapper(table, encoding="utf-8", newline=""),
            marks=read_typed(job, Marks),
            count=row_counter(lease, "captions"),
        )
        lease.step("Storing the verifications")
        return annotations

    def save(self, job: Job, checked: list[Annotation]) -> Outcome:
        stored = store_annotations(project=job.project, annotations=checked, actor=job.created_by)
        return Outcome(f"{len(stored):,} verification{'' if len(stored) == 1 else 's'}.")

    def url(self, job: Job) -> str:
        done = job.state == Job.State.DONE
        name = "review:verifications" if done else "review:annotation_table"
        return reverse(name, args=[job.project.slug])


def start_table_import(
    *, project: Project, file_name: str, data: bytes, marks: Marks, admin: User
) -> Job:
    """Start a job that imports the table. Raises JobInProgress during another import."""
    job = Job(
        project=project,
        kind=IMPORT_TABLE,
        lane="all",
        title=file_name[:200],
        parameters={"typed": as_json(marks)},
        created_by=admin,
    )
    return start_file_import(job, {TABLE: data})
