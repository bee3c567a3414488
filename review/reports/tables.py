"""What a table of metrics is made of: models as rows, numbers with the report that each is from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from review.reports.instructions import Instructions, theme_notice
from review.reports.models import Report
from review.reports.small_samples import TOO_FEW, is_few, too_few_reason

HUNDRED = 100
HIGH, LOW = "high", "low"
UNDEFINED = "–"
OTHER_GALLERIES = (
    "The models were not asked the same number of queries among as many things, so the numbers "
    "don’t compare and none is marked as the best: {}."
)
CERTAIN = (
    "In parentheses: recall at a K that the gallery is no larger than, which is 100 whatever the "
    "model."
)


@dataclass(frozen=True)
class Column:
    """`key`: its name in addresses and files. `group`: what stands over several columns. `best`:
    whether the highest or the lowest number is the best, or neither. `drawn`: how the picture draws
    it, if it does, from 0 on where it `has_zero`. `k`: of a recall, among how many things; one from
    a gallery of no more is 100 whatever the model. `is_size`: it says what its cells are `over`."""

    key: str
    name: str
    group: str = ""
    digits: int = 1
    best: str = HIGH
    drawn: str = ""
    has_zero: bool = True
    k: int = 0
    is_size: bool = False

    @property
    def title(self) -> str:
        return f"{self.group}, {self.name}" if self.group else self.name


@dataclass(frozen=True)
class Cell:
    """A number as its report has it, or None and the `reason`; `low` and `high` are its interval in
    the report, if it has one. `report` is None if no report covers the model. `over`: of a recall,
    how many queries and how large a gallery it is from. `clips`: how many clips, or other
    `unit`s, it is from."""

    value: float | None = None
    report: Report | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""
    over: tuple[int, ...] = ()
    clips: int | None = None
    unit: str = "clip"

    @property
    def count(self) -> int | None:
        """The clips or queries that it rests on, the fewest of them; None where they aren't
        stored."""
        counts = [*self.over[::2], *([] if self.clips is None else [self.clips])]
        return min(counts, default=None)

    @property
    def is_few(self) -> bool:
        """Whether it rests on too few for an interval or a winner."""
        return self.value is not None and self.count is not None and is_few(self.count)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Its low and high, to be shown: None where the report has none, or too few clips."""
        if self.low is None or self.high is None or self.is_few:
            return None
        return self.low, self.high

    @property
    def explanation(self) -> str:
        """What its report says of it, and why it has no interval if it rests on too few."""
        if not self.is_few or self.count is None:
            return self.reason
        is_of_clips = self.count == self.clips
        few = too_few_reason(self.count, *((self.unit,) if is_of_clips else ("query", "queries")))
        return f"{self.reason} {few}".strip()


@dataclass(frozen=True)
class Row:
    """A model. `note` tells it from others of its name. `is_old`: what any of its numbers was
    computed from has changed since. `asked`: what the model of its captions was asked, where it
    has some."""

    name: str
    note: str
    cells: tuple[Cell, ...]
    is_old: bool = False
    asked: Instructions | None = None

    @property
    def reports(self) -> list[Report]:
        """Each once, in the order of the cells."""
        found = {cell.report.pk: cell.report for cell in self.cells if cell.report}
        return list(found.values())


@dataclass(frozen=True)
class Head:
    """What stands over `span` columns of the table."""

    name: str
    span: int


@dataclass(frozen=True)
class Shown:
    """A cell in its place. `starts`: the first of its group, before which there is a line."""

    cell: Cell
    column: Column
    text: str
    is_best: bool
    starts: bool

    @property
    def is_certain(self) -> bool:
        return is_certain(self.cell, self.column)

    @property
    def interval(self) -> str:
        if self.cell.interval is None:
            return ""
        low, high = self.cell.interval
        return f"{low:.{self.column.digits}f} to {high:.{self.column.digits}f}"


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

    def column(self, key: str) -> Column | None:
        return next((column for column in self.columns if column.key == key), None)

    @property
    def best(self) -> dict[str, str]:
        """column -> its best number as it is written, where models have different ones of the same
        gallery, none of too few clips, and its interval lies beyond those of the others."""
        found = {}
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
                found[column.key] = text
        return found

    @property
    def notes(self) -> tuple[str, ...]:
        """Why there is no best number in a column, or no interval."""
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
        """What the column's numbers are `over`."""
        cells = [row.cells[place] for row in self.rows]
        return {cell.over for cell in cells if cell.over and cell.value is not None}

    @property
    def shown(self) -> list[tuple[Row, list[Shown]]]:
        best = self.best
        return [(row, list(self._cells(row, best))) for row in self.rows]

    def _cells(self, row: Row, best: dict[str, str]) -> Iterator[Shown]:
        group = ""
        for cell, column in zip(row.cells, self.columns, strict=True):
            text = written(cell, column)
            is_best = cell.value is not None and best.get(column.key) == text
            yield Shown(cell, column, text, is_best, bool(column.group) and column.group != group)
            group = column.group

    def sorted_by(self, key: str, ascending: bool) -> Table:
        """By the column, models without a number last, equals by name."""
        place = [column.key for column in self.columns].index(key)
        known = [row for row in self.rows if row.cells[place].value is not None]
        known.sort(key=by_name)
        known.sort(key=lambda row: row.cells[place].value or 0.0, reverse=not ascending)
        unknown = sorted((row for row in self.rows if row not in known), key=by_name)
        return replace(self, rows=(*known, *unknown))

    def in_order_of(self, rows: Sequence[Row]) -> Table:
        """The rows of the same models in another table's order."""
        places = {(row.name, row.note): place for place, row in enumerate(rows)}
        ordered = sorted(self.rows, key=lambda row: places.get((row.name, row.note), len(places)))
        return replace(self, rows=tuple(ordered))


@dataclass(frozen=True)
class Section:
    """A table of the papers. `lead`: the column by which it is sorted unless another is asked for.
    `by_category`: the same numbers by category, to be folded away. `notes`: what must be known
    before any two numbers are compared."""

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
        found = {report.pk: report for row in self.rows for report in row.reports}
        return list(found.values())

    @property
    def asked(self) -> list[Instructions]:
        """What the models of the rows were asked, each set of captions once."""
        return list({row.asked.name: row.asked for row in self.rows if row.asked}.values())

    @property
    def asked_notice(self) -> str:
        return theme_notice(self.asked)

    @property
    def every_note(self) -> tuple[str, ...]:
        """For files, which have no page around them."""
        return (*([self.asked_notice] if self.asked_notice else []), *self.notes)

    @property
    def is_old(self) -> bool:
        return any(row.is_old for row in self.rows)

    @property
    def has_certain(self) -> bool:
        return any(shown.is_certain for _, cells in self.table.shown for shown in cells)

    def sorted_by(self, key: str, ascending: bool) -> Section:
        table = self.table.sorted_by(key, ascending)
        folded = self.by_category.in_order_of(table.rows) if self.by_category else None
        return replace(self, table=table, by_category=folded)


def _is_beyond(one: Cell, other: Cell) -> bool:
    """Whether their intervals lie apart, where both have one."""
    if one.interval is None or other.interval is None:
        return True
    (low, high), (other_low, other_high) = one.interval, other.interval
    return low > other_high or high < other_low


def by_name(row: Row) -> tuple[str, str, str]:
    return row.name.casefold(), row.name, row.note


def text_of(value: float | None, column: Column) -> str:
    return UNDEFINED if value is None else f"{value:.{column.digits}f}"


def is_certain(cell: Cell, column: Column) -> bool:
    """Whether a recall is 100 because its gallery is no larger than K."""
    return cell.value is not None and bool(cell.over) and cell.over[1] <= column.k


def written(cell: Cell, column: Column) -> str:
    """In parentheses where it is certain; "9 / 12" for 9 queries among 12 things."""
    if column.is_size and cell.over:
        return " / ".join(map(str, cell.over))
    text = text_of(cell.value, column)
    return f"({text})" if is_certain(cell, column) else text


def percent(share: float | None) -> float | None:
    return None if share is None else HUNDRED * share
