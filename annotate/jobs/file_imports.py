"""Import an uploaded file as a job, which keeps the file until it ends."""

from __future__ import annotations

import csv
import io
from abc import abstractmethod
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from django.db import transaction

from annotate import file_store
from annotate.errors import Refused
from annotate.jobs.kinds import Lease, Outcome, job_kind
from annotate.jobs.queries import latest_job
from annotate.jobs.services.starting import start_job
from annotate.jobs.single_step import SingleStepKind
from annotate.jobs.workers import Silence, last_beats
from annotate.models.jobs import AbstractJobItem, Job, JobItem
from annotate.stored_json import from_json
from annotate.text.spreadsheets import guarded

Checked = TypeVar("Checked")
Typed = TypeVar("Typed")
STEP_EVERY = 500
MAX_KEPT = 1_000
MAX_SHOWN = 50


class FileInvalid(Refused):
    """Nothing was imported. `faults` are dataclasses, the first MAX_KEPT of `total`."""

    faults: Sequence[Any]
    total: int

    @property
    def summary(self) -> str:
        """Return the message without the lines that list errors."""
        return str(self).partition("\n")[0]

    @property
    def listed_faults(self) -> Sequence[Any]:
        """Return the faults to list on a page or terminal."""
        return self.faults[:MAX_SHOWN]

    def printed(self) -> list[str]:
        """Return the lines for a terminal."""
        return [self.summary, *map(str, self.listed_faults)]

    def rows(self) -> list[dict[str, Any]]:
        """Return the `row`, `field` and `mend` of each fault as texts, and its `file` if there are
        several.
        """
        return [asdict(fault) for fault in self.faults]

    @property
    def as_link(self) -> str:
        """Return a link to the faults as CSV, for a page that keeps nothing of the refused file."""
        return faults_link(self.rows())

    def by_field(self) -> list[tuple[str, str]]:
        return [
            (", ".join(filter(None, [fault.get("file", ""), fault["row"], fault["field"]])), mend)
            for fault in self.rows()
            for mend in [fault["mend"]]
        ]


def faults_link(faults: Sequence[Mapping[str, Any]]) -> str:
    """Return a link with the faults as CSV."""
    table = b64encode(faults_csv(faults).encode()).decode()
    return f"data:text/csv;charset=utf-8;base64,{table}"


def faults_csv(faults: Sequence[Mapping[str, Any]]) -> str:
    """Return a table of faults, guarded against spreadsheets that run formulas."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["file", "row", "field", "what to fix"])
    for fault in faults:
        cells = [fault.get("file", ""), fault["row"], fault["field"], fault["mend"]]
        writer.writerow([guarded(str(cell)) for cell in cells])
    return table.getvalue()


@dataclass(frozen=True)
class InvalidFile:
    """The result of reading a file with faults; a result that is an error would lose them."""

    error: FileInvalid


class FileImport(SingleStepKind["Checked | InvalidFile"], Generic[Checked]):
    """`check` reads and checks the files outside any transaction, `save` stores them inside the one
    that ends the job. Both raise FileInvalid, whose faults the form's page lists.

    `again`: where to choose the files again. `link`: the text of the job's `url`.
    """

    again: ClassVar[str]
    link: ClassVar[str]

    @abstractmethod
    def check(self, job: Job, lease: Lease) -> Checked:
        """Return what `save` stores."""

    @abstractmethod
    def save(self, job: Job, checked: Checked) -> Outcome:
        """Store it all, or raise."""

    def work(self, job: Job, lease: Lease) -> Checked | InvalidFile:
        try:
            return self.check(job, lease)
        except FileInvalid as error:
            return InvalidFile(error)

    def store(self, job: Job, result: Checked | InvalidFile) -> Outcome:
        if isinstance(result, InvalidFile):
            return _refused(result.error)
        try:
            with transaction.atomic():
                return self.save(job, result)
        except FileInvalid as error:
            return _refused(error)

    def ended(self, job: Job) -> None:
        transaction.on_commit(partial(file_store.remove_job_files, job.pk))

    def may_resume(self, job: Job) -> None:
        raise Refused(f"The file is gone. Choose it again {self.again}.")


@transaction.atomic
def start_file_import(job: Job, files: Mapping[str, bytes]) -> Job:
    """Start a job that reads these files under these names. Raises JobInProgress."""
    start_job(job)
    file_store.keep_job_files(job.pk, files)
    return job


def typed_in(job: Job) -> dict[str, Any]:
    """Return the form's values beside the file. They stay a dictionary, because the page begins
    its form with them, whatever the form; `read_typed` returns them as the kind's dataclass.
    """
    typed: dict[str, Any] = job.parameters.get("typed", {})
    return typed


def read_typed(job: Job, kind: type[Typed]) -> Typed:
    """Return the form's values beside the file. Raises Refused."""
    return from_json(typed_in(job), kind, f"The parameters of {job}")


def row_counter(lease: Lease, noun: str) -> Callable[[int], None]:
    """Return a function to call with the number of rows read so far. It shows the progress, and
    raises ItemLost once the job is canceled.
    """

    def count(rows: int) -> None:
        if rows % STEP_EVERY == 0:
            lease.step(f"Checked {rows:,} {noun}")

    return count


@dataclass(frozen=True)
class LastImport:
    """The last import of a kind, for the page with its form."""

    job: Job
    item: JobItem | None
    silence: Silence | None

    @property
    def faults(self) -> list[dict[str, Any]]:
        return self.item.details.get("faults", []) if self.item else []

    @property
    def listed_faults(self) -> list[dict[str, Any]]:
        """Return the faults that the page lists."""
        return self.faults[:MAX_SHOWN]

    @property
    def total(self) -> int:
        """Return the number of all faults; `faults` has the first of them."""
        return self.item.details.get("total", 0) if self.item else 0

    @property
    def names_files(self) -> bool:
        """Return whether the faults are in several files."""
        return len({fault.get("file") for fault in self.faults}) > 1

    @property
    def url(self) -> str:
        return job_kind(self.job.kind).url(self.job)

    @property
    def link(self) -> str:
        kind = job_kind(self.job.kind)
        return kind.link if isinstance(kind, FileImport) else ""

    @property
    def typed(self) -> dict[str, Any]:
        """Return the form's other values, to start the form with when the file is refused."""
        return {} if self.job.state == Job.State.DONE else typed_in(self.job)


def last_import(project_id: int, kind: str) -> LastImport | None:
    job = latest_job(project_id, kind)
    return import_of(job) if job else None


def import_of(job: Job) -> LastImport:
    item = JobItem.objects.filter(job=job).first()
    silence = last_beats().silence_in(job.queue) if job.is_active else None
    return LastImport(job, item, silence)


def _refused(error: FileInvalid) -> Outcome:
    return Outcome(
        state=AbstractJobItem.State.FAILED,
        reason=str(error),
        values={"details": {"faults": error.rows(), "total": error.total}},
    )
