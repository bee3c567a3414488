"""Job kinds of a single step: one item, which succeeds or fails with the job."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from annotate.jobs.kinds import JobKind, Lease, Outcome, SingleWork
from annotate.models.jobs import Job, JobItem

Result = TypeVar("Result")


class SingleStepKind(JobKind[Job, JobItem], Generic[Result]):
    """`work` may be slow and runs outside any transaction; `store` writes the result inside the one
    that ends the step. If either refuses, the job fails with that reason.
    """

    fails_with_its_item = True

    @abstractmethod
    def work(self, job: Job, lease: Lease) -> Result:
        """Do the slow part. Import modules that load models inside."""

    @abstractmethod
    def store(self, job: Job, result: Result) -> Outcome:
        """Write the result. It isn't called if the worker has lost the step."""

    def plan(self, job: Job) -> Sequence[JobItem]:
        return [JobItem(job=job, position=1, name=job.title)]

    def open(self, job: Job) -> SingleWork[JobItem, Result]:
        return _Step(self, job)


class _Step(SingleWork[JobItem, Result]):
    def __init__(self, kind: SingleStepKind[Result], job: Job) -> None:
        self.kind, self.job = kind, job

    def do(self, item: JobItem, lease: Lease) -> Result:
        return self.kind.work(self.job, lease)

    def finish(self, item: JobItem, result: Result) -> Outcome:
        return self.kind.store(self.job, result)
