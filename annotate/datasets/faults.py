"""The faults of a data set's file, each with how to fix it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TypeVar

from annotate.errors import AnnotateError
from annotate.jobs.file_imports import MAX_KEPT, FileInvalid, faults_link
from annotate.text.storable import storable

_NUMBER = re.compile(r"\d{1,18}", re.ASCII)


class InFile(Protocol):
    """Something that a row of a file was read into."""

    @property
    def row(self) -> str: ...


R = TypeVar("R", bound=InFile)


@dataclass(frozen=True)
class Fault:
    """`row` is a CSV line, or an entry or name in a JSON file; `mend` says how to fix it."""

    file: str
    row: str
    field: str
    mend: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, self.row, self.field) if part)
        # A name in somebody else's file may contain terminal control sequences.
        return "".join(c if c.isprintable() else "\ufffd" for c in f"{place}: {self.mend}")


def by_row(faults: Iterable[Fault]) -> list[Fault]:
    """Return the faults in the order of the file, those without a row number first."""
    return sorted(faults, key=lambda fault: [int(number) for number in _NUMBER.findall(fault.row)])


class DatasetInvalid(FileInvalid, AnnotateError):
    """Nothing was stored. `faults` has the first MAX_KEPT of `total` faults."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults, self.total = list(faults[:MAX_KEPT]), len(faults)
        super().__init__(
            f"Nothing was imported: {self.total:,} "
            f"{'thing has' if self.total == 1 else 'things have'} to be fixed first."
        )


@dataclass(frozen=True)
class LeftOut:
    """The faults of the rows that an import leaves out, because the admin chose to."""

    faults: Sequence[Fault] = ()

    @property
    def sentence(self) -> str:
        rows = len({(fault.file, fault.row) for fault in self.faults})
        return f"{rows:,} row{'' if rows == 1 else 's'} with an error left out." if rows else ""

    @property
    def as_link(self) -> str:
        """Return a link to the faults as CSV, for a preview, which stores nothing."""
        return faults_link([asdict(fault) for fault in self.faults])

    @property
    def values(self) -> dict[str, Any]:
        """Return what the job's item stores, for the page that lists and downloads the faults."""
        if not self.faults:
            return {}
        kept = [asdict(fault) for fault in self.faults[:MAX_KEPT]]
        return {"details": {"faults": kept, "total": len(self.faults)}}


NO_ROWS = LeftOut()


class Faults:
    """Collects the faults of one file, to show them together. An import that skips rows with errors
    passes the list `left_out`, which gets their faults.
    """

    def __init__(self, file: str, left_out: list[Fault] | None = None) -> None:
        self.file = file
        self.left_out = left_out
        self.collected: list[Fault] = []

    def add(self, row: str, field: str, mend: str) -> None:
        # Names in somebody else's file can have characters that no database stores.
        cells = map(storable, (row, field, mend))
        self.collected.append(Fault(self.file, *cells))

    def raise_any(self) -> None:
        if self.collected:
            raise DatasetInvalid(self.collected)

    def add_to_all(self, rows: Sequence[str], field: str, mend: str) -> None:
        """Add a fault that several rows share: at the first, or at each that is left out."""
        for row in rows[:1] if self.left_out is None else rows:
            self.add(row, field, mend)

    def kept(self, rows: Iterable[R]) -> list[R]:
        """Return the rows that are checked further: all, unless those with a fault are left out."""
        bad = {fault.row for fault in self.collected} if self.left_out is not None else set()
        return [row for row in rows if row.row not in bad]

    def leave_out(self, rows: Iterable[R]) -> list[R]:
        """Return the rows without a fault. Raises DatasetInvalid unless the others are left out."""
        if self.left_out is None:
            self.raise_any()
        else:
            self.left_out += self.collected
        return self.kept(rows)
