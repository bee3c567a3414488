"""Start the jobs that import candidates and that cut the selected ones into clips."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from annotate import file_store
from annotate.candidates.segments import Annotations, read_annotations
from annotate.candidates.services import refuse_other_protocol
from annotate.datasets.files import DatasetFile
from annotate.jobs.file_imports import start_file_import
from annotate.jobs.services.starting import JobInProgress, start_job
from annotate.models import Candidate, Project, User
from annotate.models.jobs import Job

IMPORT_CANDIDATES, CUT_CANDIDATES = "candidates", "cut_candidates"
FILE = "annotations"
# Until then a selection can be undone, and the same job cuts the following selections.
CUT_AFTER_SECONDS = 10


@transaction.atomic
def start_candidate_import(*, project: Project, file: DatasetFile, admin: User | None) -> Job:
    """Start a job that imports the segments of the file. Raises DatasetInvalid with the faults of
    the file, AnnotateError in another protocol, and JobInProgress during another import.
    """
    refuse_other_protocol(project)
    read_annotations(file)
    return start_file_import(
        Job(
            project=project,
            kind=IMPORT_CANDIDATES,
            lane="all",
            title=file.name[:200],
            created_by=admin,
        ),
        {FILE: file.data},
    )


def read_job_annotations(job: Job) -> Annotations:
    """Return the job's annotations. Raises DatasetInvalid."""
    return read_annotations(DatasetFile(job.title, file_store.read_job_file(job.pk, FILE)))


def start_cutting(project: Project, admin: User | None) -> None:
    """Let a worker cut the selected candidates. A running job starts the next one itself for
    candidates that it did not plan.
    """
    job = Job(
        project=project,
        kind=CUT_CANDIDATES,
        lane="all",
        title="Selected candidates",
        queue="media",
        created_by=admin,
    )
    try:
        start_job(job, seconds=CUT_AFTER_SECONDS)
    except JobInProgress:
        return


def candidates_to_cut(project_id: int) -> QuerySet[Candidate]:
    return Candidate.objects.filter(
        project=project_id, state=Candidate.State.SELECTED, cut=None
    ).order_by("pk")
