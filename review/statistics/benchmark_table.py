"""Table 1 of the project's paper: other benchmarks and the project's own row, also as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from annotate.models import Project
from review.display.latex import RULE, UNDEFINED, escaped, latex_text, row_line
from review.display.tables import yes
from review.reports.files import FileTable
from review.statistics.columns import (
    NO,
    UNKNOWN,
    YES,
    Cell,
    Column,
    Value,
    cells_of,
    columns_of,
    heads_of,
)
from review.statistics.files import COUNTED, Counted
from review.statistics.models import BenchmarkRow
from review.statistics.own_rows import own_rows
from review.statistics.report import Statistics
from review.statistics.services import HEAD

MARKS = {YES: r"$\checkmark$", NO: r"$\times$", UNKNOWN: UNDEFINED}


@dataclass(frozen=True)
class TableRow:
    """`source`: where the values are from, or what was counted for the project's own row."""

    name: str
    source: str
    values: Mapping[str, Value | None]
    cells: Sequence[Cell]
    is_own: bool


@dataclass(frozen=True)
class BenchmarkTable:
    """`rows`: other benchmarks as they were added, then the project's own."""

    columns: Sequence[Column]
    rows: Sequence[TableRow]

    @property
    def heads(self) -> list[Cell]:
        """Return the name of each column and whether it has numbers."""
        return heads_of(self.columns)

    @property
    def has_others(self) -> bool:
        return any(not row.is_own for row in self.rows)


def benchmark_table(project: Project, statistics: Statistics) -> BenchmarkTable:
    columns = columns_of(project)

    def row(name: str, source: str, values: Mapping[str, Value | None], is_own: bool) -> TableRow:
        return TableRow(name, source, values, cells_of(columns, values), is_own)

    others = BenchmarkRow.objects.filter(project=project)
    own = own_rows(project, statistics)
    return BenchmarkTable(
        columns,
        [
            *(row(other.name, other.source, other.values, False) for other in others),
            *(row(other.name, other.source, other.values, True) for other in own),
        ],
    )


def table_files(counted: Counted, table: BenchmarkTable) -> FileTable:
    """Return the table with a row a benchmark, and how the project's own was counted."""
    keys = [column.key for column in table.columns]
    return FileTable(
        [*HEAD, *keys, "own", "signature"],
        (
            [
                row.name,
                row.source,
                *(column.typed(row.values.get(column.key)) for column in table.columns),
                yes(row.is_own),
                counted.signature if row.is_own else "",
            ]
            for row in table.rows
        ),
        lambda: {
            "project": counted.slug,
            "simulated": counted.is_simulated,
            "computed_at": counted.at.isoformat(),
            "signature": counted.signature,
            "rows": [
                {
                    "benchmark": row.name,
                    "source": row.source,
                    "own": row.is_own,
                    **{key: row.values.get(key) for key in keys},
                }
                for row in table.rows
            ],
        },
        latex=partial(_latex, counted, table),
    )


def _latex(counted: Counted, table: BenchmarkTable) -> str:
    """Return the table with the sources of other rows behind their names, and a rule above the own
    rows."""
    letters = "".join("r" if is_number else "c" for _, is_number in table.heads)
    lines = [row_line(["Benchmark", *(escaped(name) for name, _ in table.heads)])]
    for is_own in (False, True):
        rows = [row for row in table.rows if row.is_own is is_own]
        if rows:
            lines.append(RULE)
        for row in rows:
            cells = [MARKS.get(text) or escaped(text) for text, _ in row.cells]
            lines.append(row_line([escaped(f"{row.name} ({row.source})"), *cells]))
    return latex_text(
        counted.marked(f"{counted.name} beside other benchmarks. {COUNTED}"),
        f"l{letters}",
        lines,
        comments=[counted.marked(escaped(counted.signature))],
        needs=r"\usepackage{booktabs} and \usepackage{amssymb}",
    )
