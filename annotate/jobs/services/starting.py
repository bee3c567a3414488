"""Start a job: store its row and notify the workers, who plan it."""

from __future__ import annotations

from typing import TypeVar

from django.db import IntegrityError, transaction

from annotate.errors import Refused
from annotate.jobs.kinds import job_kind
from annotate.jobs.services.queueing import nudge
from annotate.models.jobs import ACTIVE, Job

AnyJob = TypeVar("AnyJob", bound=Job)


@transaction.atomic
def start_job(job: AnyJob, *, seconds: float = 0) -> AnyJob:
    """Store a new job and notify the workers, who begin `seconds` later at the earliest. Raises
    JobInProgress if its lane is taken.
    """
    if twin := active_twin(job):
        raise JobInProgress(twin)
    try:
        with transaction.atomic():
            job.save(force_insert=True)
    except IntegrityError as error:
        if twin := active_twin(job):
            raise JobInProgress(twin) from error
        raise
    nudge(job, seconds=seconds)
    return job


class JobInProgress(Refused):
    """A job of the same lane is active: `twin`."""

    def __init__(self, twin: Job) -> None:
        super().__init__(job_kind(twin.kind).busy.format(job=twin.pk))
        self.twin = twin


def active_twin(job: Job) -> Job | None:
    """Return another active job of the same lane."""
    if not job.lane:
        return None
    twins = Job.objects.filter(
        project=job.project_id, kind=job.kind, lane=job.lane, state__in=ACTIVE
    )
    return twins.exclude(pk=job.pk).first()
