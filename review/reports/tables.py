"""Tables of metrics, sorted, with the best numbers and the notes needed to compare them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from inference.model_facts import FAMILIES
from review.reports.cells import (
    HIGH,
    Cell,
    Column,
    Head,
    Row,
    RowGroup,
    Shown,
    SortHead,
    is_certain,
    text_of,
    written,
)
from review.reports.instructions import Instructions, theme_notice
from review.reports.models import Report
from review.reports.small_samples import TOO_FEW

OTHER_GALLERIES = (
    "The models were tested with different numbers of queries or of items to find, so the numbers "
    "are not comparable and none is marked as the best: {}."
)
CERTAIN = "In parentheses: recall at a K that is not smaller than the gallery, which is always 100."

NO_FAMILY = "Other models"
FAMILY_ORDER = [family.casefold() for family in FAMILIES]


@dataclass(frozen=True)
class Table:
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def heads(self) -> list[Head]:
        """The groups of columns; empty where no column is in one."""
        if not any(column.group for column in self.columns):
            return []
        grouped = groupby(self.columns, key=lambda column: column.group)
        return [Head(name, len(list(columns))) for name, columns in grouped]

    @property
    def column_heads(self) -> list[SortHead]:
        groups = ["", *(column.group for column in self.columns)]
        return [
            SortHead(column, bool(column.group) and column.group != before)
            for column, before in zip(self.columns, groups, strict=False)
        ]

    @property
    def has_certain(self) -> bool:
        return any(
            is_certain(cell, column)
            for row in self.rows
            for cell, column in zip(row.cells, self.columns, strict=True)
        )

    def column(self, key: str) -> Column | None:
        return next((column for column in self.columns if column.key == key), None)

    @property
    def best(self) -> dict[str, str]:
        """Return the best number of each column as text. A column has one if its models have
        different numbers from the same gallery, none from too few clips, and the best interval
        overlaps no other."""
        best_by_column = {}
        for place, column in enumerate(self.columns):
            cells = [cell for row in self.rows if (cell := row.cells[place]).value is not None]
            if not column.best or len(self._galleries(place)) > 1 or not cells:
                continue
            if any(cell.is_few for cell in cells):
                continue
            best = (max if column.best == HIGH else min)(cells, key=lambda cell: cell.value or 0.0)
            text = text_of(best.value, column)
            others = [cell for cell in cells if text_of(cell.value, column) != text]
            if others and all(_is_beyond(best, other) for other in others):
                best_by_column[column.key] = text
        return best_by_column

    @property
    def notes(self) -> tuple[str, ...]:
        """Return why a column has no best number, or a number no interval."""
        differ = [
            column.title
            for place, column in enumerate(self.columns)
            if column.best and len(self._galleries(place)) > 1
        ]
        has_few = any(cell.is_few for row in self.rows for cell in row.cells)
        return (
            *((OTHER_GALLERIES.format("; ".join(differ)),) if differ else ()),
            *((TOO_FEW,) if has_few else ()),
        )

    def _galleries(self, place: int) -> set[tuple[int, ...]]:
        """Return the sizes that the column's numbers are `over`."""
        cells = [row.cells[place] for row in self.rows]
        return {cell.over for cell in cells if cell.over and cell.value is not None}

    @property
    def rows_with_cells(self) -> list[tuple[Row, list[Shown]]]:
        best = self.best
        return [(row, list(self._cells(row, best))) for row in self.rows]

    @property
    def groups(self) -> list[RowGroup]:
        """The rows by family, in the papers' order of families; those without one come last."""
        if not self.has_families:
            return [RowGroup("", self.rows_with_cells)]
        families = groupby(self.rows_with_cells, key=lambda pair: by_family(pair[0]))
        groups = [list(rows) for _, rows in families]
        return [RowGroup(rows[0][0].family or NO_FAMILY, rows) for rows in groups]

    @property
    def has_families(self) -> bool:
        return any(row.family for row in self.rows)

    @property
    def has_sizes(self) -> bool:
        return any(row.parameter_count is not None for row in self.rows)

    @property
    def width(self) -> int:
        """Return the number of columns, including those of names and sizes."""
        return len(self.columns) + 1 + self.has_sizes

    def _cells(self, row: Row, best: dict[str, str]) -> Iterator[Shown]:
        for cell, head in zip(row.cells, self.column_heads, strict=True):
            text = written(cell, head.column)
            is_best = cell.value is not None and best.get(head.column.key) == text
            report = None if row.page else cell.report
            yield Shown(cell, head.column, text, is_best, head.starts, report)

    def sorted_by(self, key: str, ascending: bool) -> Table:
        """Sort by the column within each family, models without a number last, ties by name."""
        place = [column.key for column in self.columns].index(key)
        with_value = [row for row in self.rows if row.cells[place].value is not None]
        with_value.sort(key=by_name)
        with_value.sort(key=lambda row: row.cells[place].value or 0.0, reverse=not ascending)
        unknown = sorted((row for row in self.rows if row not in with_value), key=by_name)
        return replace(self, rows=tuple(sorted((*with_value, *unknown), key=by_family)))

    def in_order_of(self, rows: Sequence[Row]) -> Table:
        """Return the rows in the order of another table with the same models."""
        places = {(row.name, row.note): place for place, row in enumerate(rows)}
        ordered = sorted(self.rows, key=lambda row: places.get((row.name, row.note), len(places)))
        return replace(self, rows=tuple(ordered))


@dataclass(frozen=True)
class Section:
    """A table of the papers. `lead`: its default sort column. `by_category`: the same numbers by
    category, folded. `notes`: what readers must know before they compare numbers."""

    key: str
    title: str
    paper: str
    unit: str
    lead: str
    table: Table
    by_category: Table | None = None
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.table.rows

    @property
    def reports(self) -> list[Report]:
        reports = {report.pk: report for row in self.rows for report in row.reports}
        return list(reports.values())

    @property
    def asked(self) -> list[Instructions]:
        """Return the instructions of the rows' models, each set of captions once."""
        return list({row.asked.name: row.asked for row in self.rows if row.asked}.values())

    @property
    def asked_notice(self) -> str:
        return theme_notice(self.asked)

    @property
    def every_note(self) -> tuple[str, ...]:
        """All notes, for files, which have no page around them."""
        return (*([self.asked_notice] if self.asked_notice else []), *self.notes)

    @property
    def is_old(self) -> bool:
        return any(row.is_old for row in self.rows)

    @property
    def has_certain(self) -> bool:
        return self.table.has_certain

    def sorted_by(self, key: str, ascending: bool) -> Section:
        table = self.table.sorted_by(key, ascending)
        folded = self.by_category.in_order_of(table.rows) if self.by_category else None
        return replace(self, table=table, by_category=folded)


def _is_beyond(cell: Cell, other: Cell) -> bool:
    """Return whether their intervals don't overlap, if both have one."""
    if cell.interval is None or other.interval is None:
        return True
    (low, high), (other_low, other_high) = cell.interval, other.interval
    return low > other_high or high < other_low


def by_family(row: Row) -> tuple[bool, int, str]:
    """Return a key that sorts rows by family: in the papers' order, others by name, no family
    last.
    """
    name = row.family.casefold()
    place = FAMILY_ORDER.index(name) if name in FAMILY_ORDER else len(FAMILY_ORDER)
    return not name, place, name


def by_name(row: Row) -> tuple[str, str, str]:
    return row.name.casefold(), row.name, row.note
