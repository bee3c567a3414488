"""LoVR’s annotation table as CSV (docs/formats.md): one row per mark, and one for a caption without
errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from annotate.models import Project
from annotate.text.csv_rows import MAX_LENGTH_OF_ALL, read_records, sniffed
from annotate.text.spreadsheets import unguarded
from review.annotation_table.marks import MarkRow, Marks, marked, rows_of
from review.display.tables import csv_lines
from review.errors import ReviewError
from review.verification.content import judged_sentences, judgment_of
from review.verification.judgment import NO_FRAME
from review.verification.models import Verification, VerificationQuerySet

Row = dict[str, str]
ROWS_NAMED = 5


@dataclass(frozen=True, slots=True)
class RowFault:
    """An error in a row (the header is row 1) and column ("" for the whole row), as a sentence.
    `together` explains many such rows, with their {count}.
    """

    row: int
    column: str
    message: str
    together: str = ""


@dataclass(frozen=True)
class Fault:
    """The same error in `count` rows, the first of which are named in one message."""

    rows: list[int]
    count: int
    column: str
    message: str

    def __str__(self) -> str:
        rows = f"Row{'s' if self.more else ''} {self.row_numbers}"
        where = f"{rows}, {self.column}" if self.column else rows
        return f"{where}: {self.message}"

    @property
    def row_numbers(self) -> str:
        numbers = ", ".join(map(str, self.rows))
        return f"{numbers} and {self.more} more" if self.more else numbers

    @property
    def row(self) -> int:
        return self.rows[0]

    @property
    def more(self) -> int:
        """The number of rows with the error that `rows` doesn't name."""
        return self.count - len(self.rows)


def group_faults(faults: Iterable[RowFault]) -> list[Fault]:
    """Return the faults in order, with equal faults of more than ROWS_NAMED rows as one."""
    alike: dict[tuple[str, str], list[RowFault]] = {}
    for fault in faults:
        alike.setdefault((fault.column, fault.together or fault.message), []).append(fault)
    groups = [
        group
        for same in alike.values()
        for group in ([_together(same)] if len(same) > ROWS_NAMED else map(_alone, same))
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
    """One person's rows for a caption; `first` is the number of the first row in the file."""

    first: int
    rows: list[Row] = field(default_factory=list)


def read_groups(lines: Iterable[str], faults: list[RowFault]) -> Iterator[Group]:
    """Yield the groups that can be read; other rows are added to `faults`."""
    reader = _records(lines, faults)
    header = [name.strip().lstrip("\ufeff") for name in next(reader, [])]
    needed = [name for name in COLUMNS if name not in header]
    if needed:
        message = f"the column {needed[0]} is missing. Columns: {', '.join(COLUMNS)}."
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
            faults.append(RowFault(number, "Caption", "fill it in the first row of the caption."))
            return
        # Rows are numbered without gaps, even after a skipped blank row.
        group.rows += [{}] * (number - group.first - len(group.rows))
        group.rows.append(row)
    if group:
        yield group


def _records(lines: Iterable[str], faults: list[RowFault]) -> Iterator[list[str]]:
    """Yield the rows up to the first that isn't CSV, with cleaned cells."""
    separator, lines = sniffed(lines)
    records = read_records(lines, separator=separator, longest=MAX_LENGTH_OF_ALL)
    for number, record in enumerate(records, 1):
        if record.problem:
            faults.append(RowFault(number, "", record.problem))
            return
        yield [unguarded(value) for value in record.cells]


COLUMNS = (
    *("Clip", "Annotator", "Kind", "Caption", "Type", "Correction", "Start frame", "End frame"),
    *("Theme", "Content errors", "Sentences with content errors", "Topic errors"),
)
"""The columns Kind to Theme are about the whole caption and are filled in its first row only; Clip
and Annotator are filled in every row."""

THEMES = {True: "ok", False: "off"}
BATCH_SIZE = 100


def annotation_lines(
    project: Project, marks: Marks, among: VerificationQuerySet | None = None
) -> Iterator[str]:
    """Yield the project's verifications, or those `among` them, in the order they were made, as
    lines of CSV.

    Raises ReviewError if a caption's own text contains a mark.
    """
    yield from csv_lines(COLUMNS, _table_rows(project, marks, among), line_end="\r\n")


def _table_rows(
    project: Project, marks: Marks, among: VerificationQuerySet | None
) -> Iterator[tuple[object, ...]]:
    labels = annotator_labels(project)
    if among is None:
        among = Verification.objects.of_project(project)
    for verification in among.for_table().iterator(chunk_size=BATCH_SIZE):
        label = verification.label
        if not label and verification.reviewer_id is not None:
            label = labels[verification.reviewer_id]
        yield from _rows(verification, label, marks)


def annotator_labels(project: Project) -> dict[int, str]:
    """Return a number instead of a name for each person, in the order of their first
    verification.
    """
    rows = (
        Verification.objects.filter(project=project)
        .order_by("pk")
        .values_list("reviewer_id", "label")
    )
    people = dict.fromkeys(person for person, _ in rows if person is not None)
    taken = {label for _, label in rows if label}
    free = (str(n) for n in range(1, len(people) + len(taken) + 1) if str(n) not in taken)
    return dict(zip(people, free, strict=False))


def _rows(verification: Verification, label: str, marks: Marks) -> Iterator[tuple[object, ...]]:
    caption, judgment = verification.caption, judgment_of(verification)
    try:
        whole = marked(caption.text, judged_sentences(verification), judgment, marks)
    except ValueError as error:
        raise ReviewError(f"The caption of {caption.clip} can't be exported: {error}") from error
    counts = (
        verification.content_errors,
        verification.content_error_sentences,
        verification.topic_errors,
    )
    about: tuple[tuple[str, str], tuple[object, ...]]
    about = (caption.kind, whole), (THEMES[verification.fits_theme], *counts)
    for row in rows_of(judgment) or [MarkRow("", "")]:
        kind_and_caption, counted = about
        frames = ("" if n == NO_FRAME else n for n in (row.start_frame, row.end_frame))
        mark = (row.types, row.correction, *frames)
        yield (caption.clip.name, label, *kind_and_caption, *mark, *counted)
        about = ("", ""), ("", "", "", "")
