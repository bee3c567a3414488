"""The interface of a job kind: its items, the work on them, and its words.

Each app registers its kinds once it is ready. A kind imports what loads models or decodes video
inside `open` and `plan`, because web processes register kinds too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from django.db.models import QuerySet

from annotate.models.jobs import AbstractJobItem, Job, JobItem
from annotate.models.people import Membership

AnyJob = TypeVar("AnyJob", bound=Job)
AnyItem = TypeVar("AnyItem", bound=AbstractJobItem)
Task = TypeVar("Task")
Material = TypeVar("Material")
Result = TypeVar("Result")

GAVE_UP = (
    "Each attempt at this item ended the worker. Give the worker more memory or a smaller "
    "batch, then retry it."
)


@dataclass(frozen=True)
class Outcome:
    """The result that is stored in the item's row: `note` or, if it failed, `reason`, in words;
    `values` are those of the kind's own columns.
    """

    note: str = ""
    state: AbstractJobItem.State = AbstractJobItem.State.DONE
    reason: str = ""
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """Seconds of reading one item, beside the model's work on others, and of its share of a batch;
    None for an item that takes several steps.
    """

    read: float | None = None
    compute: float | None = None


class BatchWork(ABC, Generic[AnyItem, Task, Material, Result]):
    """Work on items in batches.

    `describe` reads the database, `read` decodes files in a thread beside the model and must not
    touch the database, `compute` does the work, `store` runs inside the transaction that marks the
    item done. `compute` may ask between two requests, with `refuse_lost`, whether it still should.
    """

    batch_size: int = 8

    @abstractmethod
    def describe(self, items: Sequence[AnyItem]) -> list[Task]:
        """Return one task per item, in order: all that `read` and `compute` need, as plain data."""

    @abstractmethod
    def read(self, task: Task) -> Material:
        """Return the frames or texts of one task. Raises ItemFailed."""

    @abstractmethod
    def compute(
        self, tasks: Sequence[Task], materials: Sequence[Material]
    ) -> Sequence[Result | Exception]:
        """Return one result per task, in order, or the error of this task alone."""

    @abstractmethod
    def store(self, item: AnyItem, task: Task, result: Result) -> Outcome:
        """Write the result. Called once per attempt, inside a transaction."""


@dataclass(frozen=True)
class Lease:
    """One attempt's lease on an item that takes several steps.

    `step(text)` shows the current step. `saving()` is a transaction that locks the item and checks
    the lease. Both raise ItemLost if the lease is lost.
    """

    step: Callable[[str], None]
    saving: Callable[[], AbstractContextManager[None]]


class StepsWork(ABC, Generic[AnyItem, Result]):
    """Items that take several steps, each committed, so that a later attempt resumes there. The
    steps of up to `batch_size` items are done side by side.
    """

    batch_size: int = 1

    @abstractmethod
    def do_all(
        self, items: Sequence[AnyItem], leases: Sequence[Lease]
    ) -> Sequence[Result | Exception]:
        """Do all remaining steps; return for each item what `finish` needs, or its error."""

    @abstractmethod
    def finish(self, item: AnyItem, result: Result) -> Outcome:
        """Write the result, inside the transaction that marks the item done. Raises ItemFailed."""

    def attempted(self, item: AnyItem) -> None:
        """Run after each attempt, whatever its result."""


class SingleWork(StepsWork[AnyItem, Result]):
    """Items that take several steps and are done one by one."""

    @abstractmethod
    def do(self, item: AnyItem, lease: Lease) -> Result:
        """Do all remaining steps; return what `finish` needs. Raises ItemFailed."""

    def do_all(
        self, items: Sequence[AnyItem], leases: Sequence[Lease]
    ) -> Sequence[Result | Exception]:
        return [self.do(item, lease) for item, lease in zip(items, leases, strict=True)]


AnyWork = BatchWork[Any, Any, Any, Any] | StepsWork[Any, Any]


class JobKind(ABC, Generic[AnyJob, AnyItem]):
    """One kind of job. `label` says what the job does, `noun` names its items, `skipped` says why
    an item needed no work.

    `job_model` and `item_model` are the tables with the kind's own columns beside Job and JobItem;
    `owner` is the item's field for its job. `fails_with_its_item`: the job is one item, and fails
    with it. `resumes_cancelled`: what a canceled job left out can still be done. `has_uploads`:
    items can wait for their bytes without a worker. `tells_starter`: the person who started the job
    gets a notice when it is done or failed.
    """

    name: str
    label: str
    noun: ClassVar[tuple[str, str]] = ("step", "steps")
    skipped: ClassVar[str] = "skipped"
    gave_up: ClassVar[str] = GAVE_UP
    busy: ClassVar[str] = "This is in progress already. Wait until it is done, or cancel it."
    job_model: type[Job] = Job
    item_model: type[AbstractJobItem] = JobItem
    owner: ClassVar[str] = "job"
    fails_with_its_item: ClassVar[bool] = False
    resumes_cancelled: ClassVar[bool] = True
    has_uploads: ClassVar[bool] = False
    tells_starter: ClassVar[bool] = True

    def load(self, job_id: int) -> AnyJob:
        """Return the job with the rows that its work needs."""
        jobs: QuerySet[Any] = self.job_model._default_manager.all()
        job: AnyJob = jobs.select_related("project", "created_by").get(pk=job_id)
        return job

    def items(self, job_id: int) -> QuerySet[AnyItem]:
        items: QuerySet[Any] = self.item_model._default_manager.filter(**{self.owner: job_id})
        return items

    @abstractmethod
    def plan(self, job: AnyJob) -> Sequence[AnyItem]:
        """Return the unsaved items, in order. It can take long, and writes nothing.

        Raises an error with a sentence for the user if there is nothing to do.
        """

    @abstractmethod
    def open(self, job: AnyJob) -> AnyWork:
        """Return the work with its models loaded. Raises ItemFailed or JobStopped if that fails."""

    def planned(self, job: AnyJob) -> None:
        """Run in the transaction that stores the items."""

    def counting(self, job: AnyJob, items: Sequence[AnyItem]) -> AbstractContextManager[None]:
        """Return the context in which these items are worked on, to count what they use."""
        return nullcontext()

    def measured(self, job: AnyJob, measured: Measured) -> Mapping[str, object]:
        """Return the timings of a finished item for the kind's own columns."""
        return {}

    def stored(self, job: AnyJob) -> None:
        """Run in the transaction that marks an item done."""

    def ended(self, job: AnyJob) -> None:
        """Run in the transaction that ends the job, in any state."""

    def may_resume(self, job: AnyJob) -> None:
        """Run in the transaction that retries or resumes an ended job, and prepare its objects.
        Raises an error with a sentence if that isn't allowed.
        """

    def may_retry(self, code: str) -> bool:
        """Return whether an item that failed with this code may succeed when it is retried."""
        return True

    def name_of(self, job: AnyJob) -> str:
        """Return the job's name for a notice, so that people can tell jobs apart."""
        return f"{self.label}: {job.title}" if job.title else self.label

    def url(self, job: AnyJob) -> str:
        """Return the address of the page with the job's results, empty if it has no page."""
        return ""

    def hides_reasons(self, membership: Membership, job: AnyJob) -> bool:
        """Return whether this member may not read why items failed, as their reasons may quote what
        is hidden from them."""
        return False

    def names(self, items: Sequence[AnyItem]) -> dict[int, str]:
        """Return the name of each item's object, by the item's key."""
        return {item.pk: str(getattr(item, "name", "")) for item in items}


AnyKind = JobKind[Any, Any]
_REGISTERED: dict[str, AnyKind] = {}


def register_job_kind(kind: AnyKind) -> None:
    """Register a kind, in `AppConfig.ready`. Raises ValueError if the name is taken."""
    if kind.name in _REGISTERED:
        raise ValueError(f"The kind of job {kind.name} is registered twice.")
    _REGISTERED[kind.name] = kind


def job_kind(name: str) -> AnyKind:
    return _REGISTERED[name]


def job_kinds() -> list[AnyKind]:
    return list(_REGISTERED.values())


def item_tables() -> dict[type[AbstractJobItem], str]:
    """Return each table of items with its field of the job."""
    return {kind.item_model: kind.owner for kind in _REGISTERED.values()}


def upload_tables() -> dict[type[AbstractJobItem], str]:
    """Return the tables of kinds whose items can wait for their bytes."""
    kinds = [kind for kind in _REGISTERED.values() if kind.has_uploads]
    return {kind.item_model: kind.owner for kind in kinds}
