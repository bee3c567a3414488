"""Kinds of job that are one step: one item, which succeeds or fails as the job does."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from annotate.jobs.kinds import JobKind, Lease, Outcome, SingleWork
from annotate.models.jobs import Job, JobItem

Result = TypeVar("Result")


class SingleStepKind(JobKind[Job, JobItem], Generic[Result]):
    """`work` takes its time, outside any transaction; `store` writes the result inside the one that
    ends the step. What either refuses is the reason for which the job fails."""

    fails_with_its_item = True

    @abstractmethod
    def work(self, job: Job, lease: Lease) -> Result:
        """Everything that takes long. Imports what loads models inside."""

    @abstractmethod
    def store(self, job: Job, result: Result) -> Outcome:
        """Write the result. A worker that has lost the step never comes here."""

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
