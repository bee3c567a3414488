"""What is wrong with a file of a data set, told so that it can be mended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.errors import AnnotateError

MOST_SHOWN = 50


@dataclass(frozen=True)
class Fault:
    """`row` is a line of a CSV, an entry of a JSON file or a name in it; `mend` a sentence."""

    file: str
    row: str
    field: str
    mend: str

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, self.row, self.field) if part)
        # A name in a stranger's file may hold what a terminal would obey.
        return "".join(c if c.isprintable() else "\ufffd" for c in f"{place}: {self.mend}")


class DatasetInvalid(AnnotateError):
    """Nothing was stored. `faults` are at most the first MOST_SHOWN of `total`."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults, self.total = list(faults[:MOST_SHOWN]), len(faults)
        super().__init__(
            f"Nothing was imported: {self.total:,} "
            f"{'thing has' if self.total == 1 else 'things have'} to be fixed first."
        )


class Faults:
    """Collects what is wrong with one file, so that all of it is told at once."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Fault] = []

    def add(self, row: str, field: str, mend: str) -> None:
        self.found.append(Fault(self.file, row, field, mend))

    def raise_any(self) -> None:
        if self.found:
            raise DatasetInvalid(self.found)
