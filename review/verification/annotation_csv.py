"""The annotation table as rows of CSV, in groups of one person's rows about one caption."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from review.display.spreadsheets import unguarded
from review.exports.lovr_annotations import COLUMNS

Row = dict[str, str]
# A field of the caption of a whole video may be longer than the 128 KB that csv allows.
LONGEST_FIELD = 10_000_000
ROWS_NAMED = 5


@dataclass(frozen=True, slots=True)
class RowFault:
    """What is to be mended in a row (the header is row 1), in its column ("" for all of it), as a
    sentence. `together` says what many such rows are a sign of, with their {count}."""

    row: int
    column: str
    message: str
    together: str = ""


@dataclass(frozen=True)
class Fault:
    """What is wrong alike in `count` rows, of which the first are named, with one message."""

    rows: list[int]
    count: int
    column: str
    message: str

    def __str__(self) -> str:
        rows = ", ".join(map(str, self.rows))
        many = f"Rows {rows} and {self.more} more" if self.more else f"Row {rows}"
        where = f"{many}, {self.column}" if self.column else many
        return f"{where}: {self.message}"

    @property
    def row(self) -> int:
        return self.rows[0]

    @property
    def more(self) -> int:
        """How many rows have it that `rows` does not name."""
        return self.count - len(self.rows)


def group_faults(faults: Iterable[RowFault]) -> list[Fault]:
    """The faults in their order, but those that more than ROWS_NAMED rows have alike as one."""
    alike: dict[tuple[str, str], list[RowFault]] = {}
    for fault in faults:
        alike.setdefault((fault.column, fault.together or fault.message), []).append(fault)
    groups = [
        group
        for some in alike.values()
        for group in ([_together(some)] if len(some) > ROWS_NAMED else map(_alone, some))
    ]
    return sorted(groups, key=lambda fault: fault.row)


def _alone(fault: RowFault) -> Fault:
    return Fault([fault.row], 1, fault.column, fault.message)


def _together(alike: list[RowFault]) -> Fault:
    first, count = alike[0], len(alike)
    message = first.message
    if first.together:
        message = f"{first.together.format(count=f'{count:,}')} The first: {message}"
    return Fault([fault.row for fault in alike[:ROWS_NAMED]], count, first.column, message)


@dataclass
class Group:
    """One person's rows about one caption; the first is row `first` of the file."""

    first: int
    rows: list[Row] = field(default_factory=list)


def read_groups(lines: Iterable[str], faults: list[RowFault]) -> Iterator[Group]:
    """The table's groups, as far as it can be read; `faults` gets what can't."""
    csv.field_size_limit(LONGEST_FIELD)
    reader = _records(lines, faults)
    header = [name.strip().lstrip("\ufeff") for name in next(reader, [])]
    needed = [name for name in COLUMNS if name not in header]
    if needed:
        message = f"the column {needed[0]} is not there. Columns: {', '.join(COLUMNS)}."
        faults.append(RowFault(1, "", message))
        return
    group = None
    for number, values in enumerate(reader, 2):
        if not any(values):
            continue
        row = dict(zip(header, [*values, *[""] * (len(header) - len(values))], strict=False))
        if row["Caption"]:
            if group:
                yield group
            group = Group(number)
        if group is None:
            faults.append(RowFault(number, "Caption", "the first row of a caption must hold it."))
            return
        # Rows are numbered without a gap, also where a blank one was passed over.
        group.rows += [{}] * (number - group.first - len(group.rows))
        group.rows.append(row)
    if group:
        yield group


def _records(lines: Iterable[str], faults: list[RowFault]) -> Iterator[list[str]]:
    """The rows up to the first that is no CSV, their cells as they are meant."""
    number = 0
    try:
        for values in csv.reader(lines):
            number += 1
            yield [unguarded(value) for value in values]
    except csv.Error as error:
        faults.append(
            RowFault(number + 1, "", f"it can't be read ({error}). Save the table as CSV.")
        )
