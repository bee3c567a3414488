"""Kinds of job that only these tests know: counting one by one, and in batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from django.db import OperationalError
from django.utils import timezone

from annotate.errors import ItemFailed, Refused
from annotate.jobs.kinds import BatchWork, JobKind, Lease, Outcome, SingleWork
from annotate.jobs.services.planning import plan_job
from annotate.jobs.services.starting import start_job
from annotate.jobs.services.working import work_on
from annotate.models import AuditEvent, Project
from annotate.models.jobs import Job, JobItem


def store(item: JobItem) -> Outcome:
    """Leave one row an item, so that a test sees what was stored, and how often."""
    AuditEvent.objects.create(
        verb="counted", object_type="number", object_id=item.subject, project_id=item.job.project_id
    )
    return Outcome(f"counted {item.subject}")


class Counting(JobKind[Job, JobItem]):
    """Plans as many numbers as its parameters say. `on_item` is called with each number."""

    name = "count"
    label = "Count"
    noun = ("number", "numbers")
    busy = "Numbers are being counted by job {job}."

    def __init__(self) -> None:
        self.on_plan: Callable[[], None] = lambda: None
        self.on_open: Callable[[], None] = lambda: None
        self.on_item: Callable[[int], None] = lambda number: None
        self.counted: list[int] = []
        self.ends: list[str] = []

    def plan(self, job: Job) -> Sequence[JobItem]:
        self.on_plan()
        if not job.parameters["numbers"]:
            raise Refused("There is nothing to count. Choose a number.")
        return [
            JobItem(job=job, position=number, subject=number, name=f"number {number}")
            for number in range(1, job.parameters["numbers"] + 1)
        ]

    def open(self, job: Job) -> SingleWork:
        self.on_open()
        return CountingWork(self)

    def ended(self, job: Job) -> None:
        self.ends.append(job.state)


class CountingWork(SingleWork[JobItem, int]):
    def __init__(self, kind: Counting) -> None:
        self.kind = kind

    def do(self, item: JobItem, lease: Lease) -> int:
        lease.step(f"Counting {item.subject}")
        self.kind.on_item(item.subject)
        self.kind.counted.append(item.subject)
        return item.subject

    def finish(self, item: JobItem, result: int) -> Outcome:
        return store(item)


class BatchCounting(Counting):
    name = "count_batches"
    label = "Count in batches"

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[int]] = []
        self.replies: dict[int, Exception] = {}
        self.unreadable: set[int] = set()

    def open(self, job: Job) -> BatchWork:
        self.on_open()
        return BatchCountingWork(self)


class BatchCountingWork(BatchWork[JobItem, int, int, int]):
    batch_size = 4

    def __init__(self, kind: BatchCounting) -> None:
        self.kind = kind

    def describe(self, items: Sequence[JobItem]) -> list[int]:
        return [item.subject for item in items]

    def read(self, task: int) -> int:
        if task in self.kind.unreadable:
            raise ValueError("unreadable")
        return task

    def compute(self, tasks: Sequence[int], materials: Sequence[int]) -> Sequence[int | Exception]:
        self.kind.batches.append(list(tasks))
        for task in tasks:
            self.kind.on_item(task)
        return [self.kind.replies.get(task, task) for task in tasks]

    def store(self, item: JobItem, task: int, result: int) -> Outcome:
        return store(item)


def start_counting(project: Project, numbers: int = 5, kind: str = "count", lane: str = "") -> Job:
    return start_job(
        Job(project=project, kind=kind, lane=lane, title="to five", parameters={"numbers": numbers})
    )


def work_through(job: Job) -> Job:
    """Do the job's work here, as a worker would, and read its row again."""
    work_on(job_id=job.pk)
    job.refresh_from_db()
    return job


def states(job: Job) -> list[str]:
    return list(job.job_items.order_by("position").values_list("state", flat=True))


def numbers_stored() -> list[int]:
    events = AuditEvent.objects.filter(verb="counted").order_by("object_id")
    return list(events.values_list("object_id", flat=True))


def planned(job: Job) -> Job:
    assert plan_job(job)
    job.refresh_from_db()
    return job


def drop_lease(*items: JobItem) -> None:
    past = timezone.now() - timedelta(seconds=1)
    JobItem.objects.filter(pk__in=[item.pk for item in items]).update(lease_until=past)


def away() -> None:
    raise OperationalError("the database is away")


class Unreachable(ItemFailed):
    @property
    def concerns_all(self) -> bool:
        return True
