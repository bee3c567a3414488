"""Write a table as CSV, and import one after all of its rows are checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from django.db import transaction

from annotate.audit import record_event
from annotate.datasets.faults import DatasetInvalid, Fault, Faults, LeftOut, by_row
from annotate.datasets.files import DatasetFile, read_rows, read_text
from annotate.models import Project, User
from annotate.text.spreadsheets import unguarded
from review.display.tables import csv_lines
from review.errors import ReviewError
from review.exchange.tables import Choices, Plan, Row, Table
from review.reports.agreement_due import agreement_changed
from review.tables.queries import imported_verdicts
from review.triplets.verdicts import retrieval_changed


def table_lines(project: Project, table: Table, choices: Choices) -> Iterator[str]:
    """Return the lines of the CSV. Raises ReviewError without rows."""
    rows = iter(table.rows(project, choices))
    first = next(rows, None)
    if first is None:
        raise ReviewError(table.empty)
    return csv_lines(table.columns, chain([first], rows))


def preview_table(*, project: Project, table: Table, file: DatasetFile, choices: Choices) -> Plan:
    """Return what `import_table` would do. Raises the same errors."""
    return _plan(project, table, file, choices)


@transaction.atomic
def import_table(
    *, project: Project, table: Table, file: DatasetFile, choices: Choices, admin: User | None
) -> Plan:
    """Store the new rows of a file. Raises DatasetInvalid with every row to fix, or ReviewError if
    nothing is new; then nothing is stored. `choices` may leave out rows with an error.
    """
    # One import at a time, so that two imports of the same file don't miss each other.
    project = Project.objects.lock(project.pk)
    plan = _plan(project, table, file, choices)
    plan.store(admin)
    record_event(
        actor=admin,
        verb="import table",
        subject=project,
        project=project,
        after={
            "table": table.key,
            "file": file.name[:200],
            "rows": plan.new,
            "faults left out": len(plan.left_out.faults),
        },
    )
    return plan


def _plan(project: Project, table: Table, file: DatasetFile, choices: Choices) -> Plan:
    _refuse_while_generating(project)
    faults = Faults(file.name)
    rows = list(_rows(table, file, faults))
    plan = table.plan(project, rows, faults, choices)
    left_out: list[Fault] = []
    # A skipped row can be the one that a later row repeats, so plan the rest again.
    while rows and choices.skips_bad and faults.collected:
        left_out += faults.collected
        bad = {fault.row for fault in faults.collected}
        faults = Faults(file.name)
        rows = [row for row in rows if row[0] not in bad]
        plan = table.plan(project, rows, faults, choices)
    if not rows and left_out:
        raise DatasetInvalid(left_out)
    faults.raise_any()
    if left_out:
        skipped = LeftOut(by_row(left_out))
        plan = replace(plan, sentences=[*plan.sentences, skipped.sentence], left_out=skipped)
    if not rows:
        raise ReviewError(f"{file.name} has no row. Nothing was imported.")
    if not plan.new:
        raise ReviewError("Everything in this file is here already. Nothing was imported.")
    return plan


def _rows(table: Table, file: DatasetFile, faults: Faults) -> Iterator[Row]:
    for where, cells in read_rows(file, read_text(file), table.needed_columns, faults):
        yield where, {name: unguarded(cell) for name, cell in cells.items()}


@transaction.atomic
def remove_imported(*, project: Project, table: str, annotator: str, admin: User | None) -> int:
    """Remove the imported verdicts of an annotator; return their number. Decisions about pairs
    stay. Raises ReviewError without verdicts, and while a set is being generated.
    """
    project = Project.objects.lock(project.pk)
    _refuse_while_generating(project)
    verdicts = imported_verdicts(project).get(table)
    removed = verdicts.filter(label=annotator).count() if verdicts is not None else 0
    if verdicts is None or not removed:
        raise ReviewError("There are no such imported verdicts. Nothing was removed.")
    verdicts.filter(label=annotator).delete()
    record_event(
        actor=admin,
        verb="remove imported verdicts",
        subject=project,
        project=project,
        before={"table": table, "annotator": annotator, "verdicts": removed},
    )
    retrieval_changed(project)
    agreement_changed(project.pk)
    return removed


def _refuse_while_generating(project: Project) -> None:
    if project.triplet_sets.filter(state="running").exists():
        raise ReviewError("Triplets are being generated now. Wait until they are finished.")
