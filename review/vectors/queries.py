"""The files of vectors that workers have written."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.files.storage import default_storage

from annotate.jobs.parameters import read_parameters
from annotate.models import Project
from annotate.models.jobs import Job

WRITE_VECTORS = "vectors"
LISTED = 20


@dataclass(frozen=True)
class VectorParameters:
    """`source` is the key of a Source."""

    source: str
    fusion: str
    format: str


def vector_file_name(job: Job) -> str:
    """Return the name in the storage. The same vectors in the same format replace each other."""
    suffix = read_parameters(job, VectorParameters).format
    return f"projects/{job.project_id}/vectors/{job.lane}.{suffix}"


def vector_jobs(project: Project) -> list[tuple[Job, bool]]:
    """Return the last LISTED jobs, newest first, each with whether its file is there and wasn't
    replaced by a later one.
    """
    jobs = Job.objects.filter(project=project, kind=WRITE_VECTORS).order_by("-pk")[:LISTED]
    newest: dict[str, int] = {}
    for job in jobs:
        if job.state == Job.State.DONE:
            newest.setdefault(job.lane, job.pk)
    return [
        (
            job,
            newest.get(job.lane) == job.pk and default_storage.exists(vector_file_name(job)),
        )
        for job in jobs
    ]


def is_there(job: Job) -> bool:
    """Return whether the job's file is there and wasn't replaced by a later one."""
    later = Job.objects.filter(
        project=job.project_id, kind=WRITE_VECTORS, lane=job.lane, state=Job.State.DONE
    ).filter(pk__gt=job.pk)
    is_done = job.state == Job.State.DONE
    return is_done and not later.exists() and default_storage.exists(vector_file_name(job))
