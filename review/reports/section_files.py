"""A section's files: CSV, LaTeX and JSON with signatures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.utils import timezone

from annotate.models import Project
from review.display.tables import yes
from review.reports.cells import Cell, Column, Row
from review.reports.files import FileTable
from review.reports.models import Report
from review.reports.section_latex import latex_table
from review.reports.tables import Section

SIMULATED = "simulated"
ASKED = ("prompt", "frames", "theme")
# The sizes that a cell is over; those of the other direction where they differ.
OVER = ("queries", "gallery", "other_queries", "other_gallery")


def file_name(project: Project, name: str, version: str = "") -> str:
    """Return what a browser saves the file of this name as. `version`: of the release."""
    stem, _, ending = name.rpartition(".")
    simulated = SIMULATED if project.is_simulated else ""
    parts = [project.slug, version, stem, simulated, timezone.localdate().isoformat()]
    return f"{'-'.join(filter(None, parts))}.{ending}"


def section_table(project: Project, section: Section, version: str = "") -> FileTable:
    """Return the section's files. CSV has one row per model: every number unrounded, its interval
    if any, then the time and signature of each kind of report. `version`: of the release."""
    columns, table = every_column(section), section.table
    names = list(dict.fromkeys(report.name for report in section.reports))
    return FileTable(
        [
            *("model", "note"),
            *(("family",) if table.has_families else ()),
            *(("parameters",) if table.has_sizes else ()),
            *(SIMULATED, "old"),
            *(ASKED if section.asked else ()),
            *(part for column, ends in columns for part in _names(column, ends)),
            *(f"{name}_{part}" for name in names for part in ("computed_at", "signature")),
        ],
        (
            [
                *(row.name, row.note),
                *((row.family,) if table.has_families else ()),
                *((row.parameter_count,) if table.has_sizes else ()),
                *(yes(project.is_simulated), yes(row.is_old)),
                *(_asked_cells(row) if section.asked else ()),
                *(
                    number
                    for (column, ends), cell in zip(columns, cells, strict=True)
                    for number in _numbers(cell, column, ends)
                ),
                *(part for name in names for part in _made(row, name)),
            ]
            for row, cells in _rows(section)
        ),
        partial(_content, project, version, section),
        latex=partial(latex_table, project, version, section),
    )


def _asked_cells(row: Row) -> tuple[str, ...]:
    if row.asked is None:
        return ("",) * len(ASKED)
    instructions = row.asked.as_dict
    return tuple(instructions[part] for part in ASKED)


def _content(project: Project, version: str, section: Section) -> dict[str, Any]:
    columns = [column for column, _ in every_column(section)]
    return {
        "project": project.slug,
        "release": version or None,
        SIMULATED: project.is_simulated,
        "section": section.key,
        "title": section.title,
        "as_in": section.paper,
        "unit": section.unit,
        "notes": section.every_note,
        "models": [
            {
                "model": row.name,
                "note": row.note,
                "family": row.family,
                "parameters": row.parameter_count,
                "old": row.is_old,
                "asked": row.asked.as_dict if row.asked else None,
                "numbers": {
                    column.key: _entry(cell, column)
                    for column, cell in zip(columns, cells, strict=True)
                },
            }
            for row, cells in _rows(section)
        ],
        "reports": [report_entry(report) for report in section.reports],
    }


def report_entry(report: Report) -> dict[str, Any]:
    """Return how a report was made, without its result."""
    return {
        "id": report.pk,
        "name": report.name,
        "subject": report.subject,
        "parameters": report.parameters,
        "inputs": report.inputs,
        "inputs_hash": report.inputs_hash,
        "seed": report.seed,
        "code_version": report.code_version,
        "computed_at": report.created_at.isoformat(),
        "signature": report.signature,
    }


def every_column(section: Section) -> list[tuple[Column, bool]]:
    """Return the table's columns, then those of the categories, each with whether any of its
    numbers has an interval in its report, or any size is of both directions. Intervals from too few
    clips stay empty.
    """
    tables = [section.table, *([section.by_category] if section.by_category else [])]
    return [
        (column, any(_has_more(row.cells[place], column) for row in table.rows))
        for table in tables
        for place, column in enumerate(table.columns)
    ]


def _rows(section: Section) -> Sequence[tuple[Row, tuple[Cell, ...]]]:
    folded = section.by_category.rows if section.by_category else [None] * len(section.rows)
    return [
        (row, (*row.cells, *(more.cells if more else ())))
        for row, more in zip(section.rows, folded, strict=True)
    ]


def _has_more(cell: Cell, column: Column) -> bool:
    return len(cell.over) > 2 if column.is_size else cell.low is not None


def _names(column: Column, ends: bool) -> list[str]:
    if column.is_size:
        return [f"{column.key}_{size}" for size in (OVER if ends else OVER[:2])]
    return [column.key, *([f"{column.key}_low", f"{column.key}_high"] if ends else [])]


def _numbers(cell: Cell, column: Column, ends: bool) -> Sequence[float | None]:
    if column.is_size:
        sizes: list[float | None] = [*cell.over, None, None, None, None]
        return sizes[: 4 if ends else 2]
    return [cell.value, *((cell.interval or (None, None)) if ends else ())]


def _made(row: Row, name: str) -> tuple[str, str]:
    for report in row.reports:
        if report.name == name:
            return report.created_at.isoformat(), report.signature
    return "", ""


def _entry(cell: Cell, column: Column) -> dict[str, Any]:
    if column.is_size:
        return dict(zip(OVER, cell.over or (None, None), strict=False))
    low, high = cell.interval or (None, None)
    return {
        "value": cell.value,
        "low": low,
        "high": high,
        "reason": cell.explanation,
        "report": cell.report.pk if cell.report else None,
    }
