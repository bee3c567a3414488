"""Read CSV. The csv module has one limit of the length of cells for the whole process, so each
reader here has its own, and what one file may hold changes nothing for another.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any

LONGEST_CELL = 131_072
LONGEST_OF_ALL = 10_000_000
csv.field_size_limit(LONGEST_OF_ALL)


class CsvRows(Iterator[list[str]]):
    """The rows of a file, as csv.reader yields them. `line_num` is the line on which a row begins,
    also one that can't be read.

    Raises csv.Error for what isn't CSV, and for a cell of more than `longest` characters, which it
    names by the first row.
    """

    def __init__(
        self,
        lines: Iterable[str],
        *,
        longest: int = LONGEST_CELL,
        delimiter: str = ",",
        strict: bool = True,
    ) -> None:
        assert longest <= LONGEST_OF_ALL
        self.line_num = 0
        self._reader = csv.reader(lines, delimiter=delimiter, strict=strict)
        self._longest = longest
        self._names: list[str] | None = None

    def __next__(self) -> list[str]:
        self.line_num = self._reader.line_num + 1
        cells = next(self._reader)
        for number, cell in enumerate(cells):
            if len(cell) > self._longest:
                raise csv.Error(
                    f"{self._name(number)} has {len(cell):,} characters, of which at most "
                    f"{self._longest:,} are read: shorten it, or close its quotation marks"
                )
        if self._names is None:
            self._names = cells
        return cells

    def _name(self, number: int) -> str:
        names = self._names or []
        return names[number].strip()[:80] if number < len(names) else f"cell {number + 1}"


class NamedCsvRows(csv.DictReader):  # type: ignore[type-arg]  # takes no type while it runs
    """The rows below the first as csv.DictReader yields them, read by CsvRows, whose `line_num` it
    has.
    """

    def __init__(self, lines: Iterable[str], *, longest: int = LONGEST_CELL) -> None:
        super().__init__([])
        self.reader = CsvRows(lines, longest=longest)  # type: ignore[assignment]  # as it reads

    def __next__(self) -> dict[str | Any, str | Any]:
        try:
            return super().__next__()
        except csv.Error:
            self.line_num = self.reader.line_num
            raise
