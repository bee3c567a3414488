"""Add, change and remove the rows of other benchmarks."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Project, User
from annotate.text.csv_rows import Table, TableError
from annotate.text.visible import has_hidden_characters
from review.errors import ReviewError
from review.statistics.columns import Value, columns_of
from review.statistics.models import BenchmarkRow

HEAD = ("benchmark", "source")
MAX_NAME_LENGTH, MAX_SOURCE_LENGTH = 80, 300
MAX_ROWS = 200
MAX_LISTED = 20


@dataclass(frozen=True)
class Stated:
    """The statements about one benchmark."""

    name: str
    source: str
    values: Mapping[str, Value]


class RowsInvalid(ReviewError):
    """Pasted rows are wrong; `errors` has a sentence for each error, with its row and column."""

    def __init__(self, errors: Sequence[str]) -> None:
        self.errors = list(errors)
        super().__init__("Nothing was added. Fix the rows that are listed.")

    def by_field(self) -> list[tuple[str, str]]:
        return [("rows", error) for error in self.errors]


@transaction.atomic
def add_rows(*, project: Project, stated: Sequence[Stated], admin: User) -> list[BenchmarkRow]:
    """Add rows below the project's rows. Raises ReviewError for an existing name."""
    Project.objects.lock(project.pk)
    _refuse_taken(project, stated)
    rows = [
        BenchmarkRow.objects.create(project=project, created_by=admin, **vars(values))
        for values in stated
    ]
    for row in rows:
        record_event(
            actor=admin, verb="add benchmark", subject=row, project=project, after=_facts(row)
        )
    return rows


@transaction.atomic
def change_row(*, row: BenchmarkRow, stated: Stated, admin: User) -> None:
    """Replace the statements about a benchmark. Raises ReviewError for the name of another row."""
    Project.objects.lock(row.project_id)
    _refuse_taken(row.project, [stated], but=row)
    before = _facts(row)
    row.name, row.source, row.values = stated.name, stated.source, dict(stated.values)
    row.save(update_fields=["name", "source", "values"])
    record_event(
        actor=admin,
        verb="change benchmark",
        subject=row,
        project=row.project,
        before=before,
        after=_facts(row),
    )


@transaction.atomic
def remove_row(*, row: BenchmarkRow, admin: User) -> None:
    """Remove a row; its audit event keeps the values."""
    record_event(
        actor=admin, verb="remove benchmark", subject=row, project=row.project, before=_facts(row)
    )
    row.delete()


def read_rows(project: Project, text: str) -> list[Stated]:
    """Return the rows of a CSV whose first line names the columns. Raises RowsInvalid, with every
    error: nothing is added of a text with any.
    """
    if not text.strip():
        raise RowsInvalid(["Paste a line of column names and a line for each benchmark."])
    try:
        table = Table(io.StringIO(text.strip(), newline=""))
        table.columns = [name.casefold() for name in table.columns]
        if errors := _head_errors(project, table.columns):
            raise RowsInvalid(errors)
        lines = list(islice(table, MAX_ROWS))
    except TableError as error:
        raise RowsInvalid([str(error)]) from None
    if not lines:
        raise RowsInvalid(["There is no line below the column names. Add one per benchmark."])
    if len(lines) >= MAX_ROWS:
        raise RowsInvalid([f"There are more than {MAX_ROWS - 1} rows. Paste fewer."])
    rows, names = [], set[str]()
    for line in lines:
        if line.problem:
            errors.append(f"Line {line.line}: {line.problem}")
            continue
        row, wrong = _read(project, line.cells)
        if row.name.casefold() in names:
            wrong.append(f"{row.name} is in the rows twice. Leave one out.")
        names.add(row.name.casefold())
        errors += [f"Line {line.line}: {sentence}" for sentence in wrong]
        rows.append(row)
    if errors:
        more = len(errors) - MAX_LISTED
        raise RowsInvalid([*errors[:MAX_LISTED], *([f"{more} more."] if more > 0 else [])])
    return rows


def _head_errors(project: Project, head: Sequence[str]) -> list[str]:
    keys = [*HEAD, *(column.key for column in columns_of(project))]
    missing = [name for name in HEAD if name not in head]
    strange = [name for name in head if name not in keys]
    errors = [f"The column {name} is missing." for name in missing]
    errors += [f"There is no column “{name[:40]}”. Use: {', '.join(keys)}." for name in strange]
    if len(set(head)) < len(head):
        errors.append("A column is named twice. Leave one out.")
    return errors


def _read(project: Project, texts: Mapping[str, str]) -> tuple[Stated, list[str]]:
    errors: list[str] = []
    values: dict[str, Value] = {}
    for column in columns_of(project):
        try:
            value = column.read(texts.get(column.key, ""))
        except ValueError as error:
            errors.append(str(error))
        else:
            if value is not None:
                values[column.key] = value
    name, source = (" ".join(texts[part].split()) for part in HEAD)
    errors += _text_errors("benchmark", name, MAX_NAME_LENGTH)
    errors += _text_errors("source", source, MAX_SOURCE_LENGTH)
    return Stated(name, source, values), errors


def _text_errors(what: str, text: str, longest: int) -> list[str]:
    if not text:
        return [f"The {what} is empty. Write it."]
    if len(text) > longest or has_hidden_characters(text):
        return [f"The {what} needs at most {longest} visible characters."]
    return []


def _refuse_taken(
    project: Project, stated: Sequence[Stated], but: BenchmarkRow | None = None
) -> None:
    others = BenchmarkRow.objects.filter(project=project)
    if but:
        others = others.exclude(pk=but.pk)
    taken = {name.casefold() for name in others.values_list("name", flat=True)}
    for row in stated:
        if row.name.casefold() in taken:
            raise ReviewError(f"{row.name} is in the table already. Change that row instead.")


def _facts(row: BenchmarkRow) -> dict[str, Any]:
    return {"name": row.name, "source": row.source, "values": row.values}
