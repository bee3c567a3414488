"""The annotation table as rows of CSV, in groups of one person's rows about one caption."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from review.exports.lovr_annotations import COLUMNS
from review.verification.annotation_table import unguarded

Row = dict[str, str]
# A field of the caption of a whole video may be longer than the 128 KB that csv allows.
LONGEST_FIELD = 10_000_000


@dataclass(frozen=True, slots=True)
class Fault:
    """What is to be mended: the row (the header is row 1), its column ("" for all of it), and a
    sentence with the mend."""

    row: int
    column: str
    message: str

    def __str__(self) -> str:
        where = f"Row {self.row}, {self.column}" if self.column else f"Row {self.row}"
        return f"{where}: {self.message}"


@dataclass
class Group:
    """One person's rows about one caption; the first is row `first` of the file."""

    first: int
    rows: list[Row] = field(default_factory=list)


def read_groups(lines: Iterable[str], faults: list[Fault]) -> Iterator[Group]:
    """The table's groups, as far as it can be read; `faults` gets what can't."""
    csv.field_size_limit(LONGEST_FIELD)
    reader = _records(lines, faults)
    header = [name.strip().lstrip("\ufeff") for name in next(reader, [])]
    needed = [name for name in COLUMNS if name not in header]
    if needed:
        message = f"the column {needed[0]} is not there. Columns: {', '.join(COLUMNS)}."
        faults.append(Fault(1, "", message))
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
            faults.append(Fault(number, "Caption", "the first row of a caption must hold it."))
            return
        # Rows are numbered without a gap, also where a blank one was passed over.
        group.rows += [{}] * (number - group.first - len(group.rows))
        group.rows.append(row)
    if group:
        yield group


def _records(lines: Iterable[str], faults: list[Fault]) -> Iterator[list[str]]:
    """The rows up to the first that is no CSV, their cells as they are meant."""
    number = 0
    try:
        for values in csv.reader(lines):
            number += 1
            yield [unguarded(value) for value in values]
    except csv.Error as error:
        faults.append(Fault(number + 1, "", f"it can't be read ({error}). Save the table as CSV."))
