"""The parts of a table of metrics: columns, and models as rows of numbers with their reports."""

from __future__ import annotations

from dataclasses import dataclass

from inference.model_facts import size_words
from review.reports.instructions import Instructions
from review.reports.models import Report
from review.reports.small_samples import is_few, too_few_reason

HUNDRED = 100
HIGH, LOW = "high", "low"
UNDEFINED = "–"


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
    has some. `page`: the address of its own page, to which it leads instead of its numbers.
    `family`: the group of rows that it belongs to."""

    name: str
    note: str
    cells: tuple[Cell, ...]
    is_old: bool = False
    asked: Instructions | None = None
    page: str = ""
    family: str = ""
    parameter_count: int | None = None

    @property
    def size(self) -> str:
        """Its number of parameters in words, such as 7B; empty where it isn't known."""
        return size_words(self.parameter_count)

    @property
    def reports(self) -> list[Report]:
        """Each once, in the order of the cells."""
        reports = {cell.report.pk: cell.report for cell in self.cells if cell.report}
        return list(reports.values())


@dataclass(frozen=True)
class RowGroup:
    """The rows of one family, with their cells in place; `name` is empty where the table has no
    families."""

    name: str
    rows: list[tuple[Row, list[Shown]]]


@dataclass(frozen=True)
class Head:
    """What stands over `span` columns of the table."""

    name: str
    span: int


@dataclass(frozen=True)
class SortHead:
    """The head of a column: how the table is sorted by it, if it is, and the query that sorts by
    it, if it can be. `starts`: the first of its group, before which there is a line."""

    column: Column
    starts: bool
    state: str = ""
    query: str = ""


@dataclass(frozen=True)
class Shown:
    """A cell in its place. `starts`: as of its head. `report`: to which it leads, if it does."""

    cell: Cell
    column: Column
    text: str
    is_best: bool
    starts: bool
    report: Report | None

    @property
    def is_certain(self) -> bool:
        return is_certain(self.cell, self.column)

    @property
    def remark(self) -> str:
        """What its looks say, in words."""
        if self.is_certain:
            return f"gallery of at most {self.column.k}"
        if self.cell.value is None:
            return self.cell.reason or "undefined"
        return "best" if self.is_best else ""

    @property
    def title(self) -> str:
        """Why there is no number."""
        return self.cell.reason if self.cell.value is None else ""

    @property
    def css(self) -> str:
        """The classes of its cell, with its looks unless they are those of a link in it."""
        of_size = "nowrap" if self.column.is_size else ""
        classes = ("num", "first" if self.starts else "", of_size, "" if self.report else self.tone)
        return " ".join(filter(None, classes))

    @property
    def tone(self) -> str:
        """The class of its looks."""
        if self.is_best:
            return "best"
        is_muted = self.is_certain or self.column.is_size or self.cell.value is None
        return "muted" if is_muted else ""

    @property
    def interval(self) -> str:
        if self.cell.interval is None:
            return ""
        low, high = self.cell.interval
        return f"{low:.{self.column.digits}f} to {high:.{self.column.digits}f}"


def is_certain(cell: Cell, column: Column) -> bool:
    """Whether a recall is 100 because its gallery is no larger than K."""
    return cell.value is not None and bool(cell.over) and cell.over[1] <= column.k


def written(cell: Cell, column: Column) -> str:
    """In parentheses where it is certain; "9 / 12" for 9 queries among 12 things."""
    if column.is_size and cell.over:
        return " / ".join(map(str, cell.over))
    text = text_of(cell.value, column)
    return f"({text})" if is_certain(cell, column) else text


def text_of(value: float | None, column: Column) -> str:
    return UNDEFINED if value is None else f"{value:.{column.digits}f}"


def percent(share: float | None) -> float | None:
    return None if share is None else HUNDRED * share
