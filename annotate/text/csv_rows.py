"""Read tables that people bring: CSV with commas, semicolons or tabs. Their content is untrusted.

A row that can't be read is named, and reading continues with the line after its first. The csv
module has one limit of the length of cells for the whole process, so each reader here has its own.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from annotate.text.storable import storable

MAX_CELL_LENGTH = 131_072
MAX_LENGTH_OF_ALL = 10_000_000
# Characters that are read again, in all, after rows whose quotation marks don't match.
MAX_READ_AGAIN = 32 * 1024 * 1024
SEPARATORS = {"\t": "a tab", ";": "a semicolon", ",": "a comma"}
QUOTES = (
    "Its quotation marks don’t match. Put the whole cell in quotation marks, and write each one "
    'inside it twice: "".'
)
TOO_LONG = (
    f"A cell has more than {MAX_LENGTH_OF_ALL:,} characters: shorten it, or close its quotation "
    "marks."
)
csv.field_size_limit(MAX_LENGTH_OF_ALL)


class TableError(ValueError):
    """The table as a whole can't be read; the message says what to do."""


@dataclass(frozen=True)
class Record:
    """A row with its cells as they are. `line`: the line on which it begins. `problem` says why it
    can't be read, and what to do."""

    line: int
    cells: list[str]
    problem: str = ""


@dataclass(frozen=True)
class TableRow:
    """A row with its cells, without spaces around them, by column; without any if it has a
    `problem`."""

    line: int
    cells: dict[str, str]
    problem: str = ""


class Table(Iterator[TableRow]):
    """The rows below the first line, which names the `columns`. Blank rows are left out.

    Raises TableError for a table without columns, or with one twice. `pads`: a row may end before
    its last columns, whose cells are then empty.
    """

    def __init__(
        self, lines: Iterable[str], *, longest: int = MAX_CELL_LENGTH, pads: bool = False
    ) -> None:
        self._pads = pads
        self.separator, lines = sniffed(lines)
        self._records = read_records(lines, separator=self.separator, longest=longest)
        self.columns = self._read_columns()

    def __next__(self) -> TableRow:
        for record in self._records:
            if record.problem:
                return TableRow(record.line, {}, record.problem)
            cells = [cell.strip() for cell in record.cells]
            if any(cells):
                return self._named(record.line, cells)
        raise StopIteration

    def _read_columns(self) -> list[str]:
        blank = Record(1, [])
        record = next((record for record in self._records if record.problem or record.cells), blank)
        if record.problem:
            raise TableError(
                f"The line with the names of the columns can’t be read. {record.problem}"
            )
        columns = _without_empty_end([name.strip() for name in record.cells])
        if not columns:
            raise TableError("It is empty. Its first line must name the columns.")
        for name in columns:
            if name and columns.count(name) > 1:
                raise TableError(f"The column {name[:80]!r} appears twice. Keep one.")
        return columns

    def _named(self, line: int, cells: list[str]) -> TableRow:
        width = len(self.columns)
        if len(cells) > width:
            cells = [*cells[:width], *_without_empty_end(cells[width:])]
        if self._pads:
            cells += [""] * (width - len(cells))
        if len(cells) != width:
            sign = SEPARATORS[self.separator]
            return TableRow(
                line,
                {},
                f"It has {len(cells)} cells, but the header has {width}. Put values with {sign} in "
                "quotation marks.",
            )
        return TableRow(line, dict(zip(self.columns, cells, strict=True)))


def read_records(
    lines: Iterable[str], *, separator: str = ",", longest: int = MAX_CELL_LENGTH
) -> Iterator[Record]:
    """Yield each row. Raises TableError if too many rows have quotation marks that don’t match."""
    assert longest <= MAX_LENGTH_OF_ALL
    source = _Lines(lines)
    reader = csv.reader(source, delimiter=separator, strict=True)
    names: list[str] | None = None
    while True:
        source.begin_row()
        line = source.number + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            source.read_again()
            yield Record(line, [], TOO_LONG if "field larger" in str(error) else QUOTES)
            continue
        names = cells if names is None else names
        yield Record(line, cells, _length_problem(cells, names, longest))


def sniffed(lines: Iterable[str]) -> tuple[str, Iterator[str]]:
    """Return the separator of a table, by its first line that isn't blank, and all of its lines
    without a byte order mark."""
    source = iter(lines)
    head = [next(source, "").removeprefix("\ufeff")]
    while not head[-1].strip() and (line := next(source, "")):
        head.append(line)
    return separator_of(head[-1]), chain(head, source)


def separator_of(line: str, width: int = 0) -> str:
    """Return the separator that gives the line `width` cells, or else the most."""
    begin = line[:65_536].replace("\r", " ")
    cells = {sign: len(next(csv.reader([begin], delimiter=sign), [])) for sign in SEPARATORS}
    return max(cells, key=lambda sign: (cells[sign] == width, cells[sign], sign == ","))


class _Lines(Iterator[str]):
    """The lines of a file, those of the last row also a second time."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.number = 0
        self._lines = iter(lines)
        self._again: deque[str] = deque()
        self._row: list[str] = []
        self._left = MAX_READ_AGAIN

    def __next__(self) -> str:
        line = self._again.popleft() if self._again else next(self._lines)
        self.number += 1
        self._row.append(line)
        return line

    def begin_row(self) -> None:
        self._row.clear()

    def read_again(self) -> None:
        """Give the lines after the row's first once more."""
        rest = self._row[1:]
        self._left -= sum(map(len, rest))
        if self._left < 0:
            raise TableError(
                f"Line {self.number - len(rest)}: {QUOTES} Fix the rows before it, too."
            )
        self._again.extendleft(reversed(rest))
        self.number -= len(rest)


def _length_problem(cells: list[str], names: list[str], longest: int) -> str:
    for number, cell in enumerate(cells):
        if len(cell) > longest:
            name = (
                storable(names[number].strip()[:80])
                if number < len(names)
                else f"cell {number + 1}"
            )
            return (
                f"{name} has {len(cell):,} characters, of which at most {longest:,} are read: "
                "shorten it, or close its quotation marks."
            )
    return ""


def _without_empty_end(cells: list[str]) -> list[str]:
    """Leave out the empty cells at the end, as spreadsheets write them."""
    while cells and not cells[-1]:
        cells = cells[:-1]
    return cells
