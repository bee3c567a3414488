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
    """A column of a table. `key`: its name in addresses and files. `group`: the heading above
    several columns. `best`: whether the highest or the lowest number is the best, or neither.
    `drawn`: how the chart draws it, if at all, from 0 on if it `has_zero`. `k`: the K of a recall;
    with a gallery of at most K items it is always 100. `is_size`: it shows the sizes that its cells
    are `over`."""

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
    the report, if any. `report` is None if no report covers the model. `over`: for a recall, the
    number of queries and the gallery's size. `clips`: the number of clips, or other `unit`s, that
    it is from."""

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
        """Return the number of clips or queries that it is based on, the smaller one; None if
        unknown."""
        counts = [*self.over[::2], *([] if self.clips is None else [self.clips])]
        return min(counts, default=None)

    @property
    def is_few(self) -> bool:
        """Whether it is based on too few clips for an interval or a winner."""
        return self.value is not None and self.count is not None and is_few(self.count)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The shown interval; None if the report has none, or it is based on too few clips."""
        if self.low is None or self.high is None or self.is_few:
            return None
        return self.low, self.high

    @property
    def explanation(self) -> str:
        """Return its report's explanation, and why it has no interval if it is based on too few."""
        if not self.is_few or self.count is None:
            return self.reason
        is_of_clips = self.count == self.clips
        few = too_few_reason(self.count, *((self.unit,) if is_of_clips else ("query", "queries")))
        return f"{self.reason} {few}".strip()


@dataclass(frozen=True)
class Row:
    """A model. `note` distinguishes it from others with its name. `is_old`: the inputs of one of
    its numbers have changed since. `asked`: the input of the model for its captions, if it has
    some. `page`: the address of its own page, linked instead of its numbers. `family`: its group of
    rows."""

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
        """Return its number of parameters in words, such as 7B; "" if unknown."""
        return size_words(self.parameter_count)

    @property
    def reports(self) -> list[Report]:
        """The cells' reports, without repeats, in order."""
        reports = {cell.report.pk: cell.report for cell in self.cells if cell.report}
        return list(reports.values())


@dataclass(frozen=True)
class RowGroup:
    """The rows of one family, with their cells in place; `name` is "" if the table has no
    families.
    """

    name: str
    rows: list[tuple[Row, list[Shown]]]


@dataclass(frozen=True)
class Head:
    """A heading above `span` columns of the table."""

    name: str
    span: int


@dataclass(frozen=True)
class SortHead:
    """The head of a column. `state`: the current direction, if the table is sorted by it. `query`:
    sorts by it, if possible. `starts`: whether it is the first of its group, which has a line
    before it."""

    column: Column
    starts: bool
    state: str = ""
    query: str = ""


@dataclass(frozen=True)
class Shown:
    """A cell in its place. `starts`: as in its head. `report`: the report that it links to, if
    any.
    """

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
        """Its looks, in words."""
        if self.is_certain:
            return f"gallery of at most {self.column.k}"
        if self.cell.value is None:
            return self.cell.reason or "undefined"
        return "best" if self.is_best else ""

    @property
    def title(self) -> str:
        """Return why there is no number."""
        return self.cell.reason if self.cell.value is None else ""

    @property
    def css(self) -> str:
        """Return the classes of its cell; without the looks if a link in the cell has them."""
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
        return f"{low:z.{self.column.digits}f} to {high:z.{self.column.digits}f}"


def is_certain(cell: Cell, column: Column) -> bool:
    """Return whether a recall is 100 because its gallery is no larger than K."""
    return cell.value is not None and bool(cell.over) and cell.over[1] <= column.k


def written(cell: Cell, column: Column) -> str:
    """Format the number: in parentheses if it is certain, "9 / 12" for 9 queries and a gallery of
    12.
    """
    if column.is_size and cell.over:
        return " / ".join(map(str, cell.over))
    text = text_of(cell.value, column)
    return f"({text})" if is_certain(cell, column) else text


def text_of(value: float | None, column: Column) -> str:
    return UNDEFINED if value is None else f"{value:z.{column.digits}f}"


def percent(share: float | None) -> float | None:
    return None if share is None else HUNDRED * share
