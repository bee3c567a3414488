"""The faults of a data set's file, each with how to fix it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotate.errors import AnnotateError
from annotate.jobs.file_imports import MOST_KEPT, FileInvalid

_NUMBER = re.compile(r"\d{1,18}", re.ASCII)


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
    """Nothing was stored. `faults` has the first MOST_KEPT of `total` faults."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults, self.total = list(faults[:MOST_KEPT]), len(faults)
        super().__init__(
            f"Nothing was imported: {self.total:,} "
            f"{'thing has' if self.total == 1 else 'things have'} to be fixed first."
        )


class Faults:
    """Collects the faults of one file, so that all can be shown together."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Fault] = []

    def add(self, row: str, field: str, mend: str) -> None:
        self.found.append(Fault(self.file, row, field, mend))

    def raise_any(self) -> None:
        if self.found:
            raise DatasetInvalid(self.found)
