"""A line or two for each model, with a point and its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.axes import Frame, Framed, Scale, Tick, shortened
from review.display.scale import bounds
from review.reports.tables import Cell, Column, Row, Section

WIDTH = 400
LEFT, RIGHT, TOP, BOTTOM = 12, 24, 8, 28
NAME, LINE, GAP = 18, 16, 8
PARTS = 5
LONGEST_NAME, LEAST_NAME = 60, 24


@dataclass(frozen=True)
class Line:
    """`kind`: its style. `start` to `end`: the interval, or from zero to the point; `x` the point,
    all in the chart's units. Where others have intervals and this has none, it is the point alone:
    both ends are there."""

    kind: str
    y: float
    x: float
    start: float
    end: float
    title: str


@dataclass(frozen=True)
class Group:
    name: str
    y: float
    lines: list[Line]


@dataclass(frozen=True, kw_only=True)
class Chart(Framed):
    """`zero`: where 0 is, or None where that is not on it. `has_intervals`: whether the lines are
    intervals."""

    groups: list[Group]
    ticks: list[Tick]
    columns: list[Column]
    has_intervals: bool
    zero: float | None


def draw(section: Section) -> Chart | None:
    """What the section's columns have drawn, in the order of its rows; None without any number."""
    columns = section.table.columns
    drawn = [(place, column) for place, column in enumerate(columns) if column.drawn]
    having = [
        (row, cells)
        for row in section.rows
        if (cells := [(row.cells[n], c) for n, c in drawn if row.cells[n].value is not None])
    ]
    numbers = [number for _, cells in having for cell, _ in cells for number in _numbers(cell)]
    if not numbers:
        return None
    has_zero = all(column.has_zero for _, column in drawn)
    lowest, highest, step = bounds([*numbers, 0] if has_zero else numbers, PARTS)
    x = Scale(lowest, highest, LEFT, WIDTH - RIGHT)
    has_intervals = any(cell.interval for _, cells in having for cell, _ in cells)
    groups, y = [], float(TOP)
    for row, cells in having:
        lines = [
            _line(
                cell, column, x, y + NAME + LINE * (place + 0.5), None if has_intervals else lowest
            )
            for place, (cell, column) in enumerate(cells)
        ]
        groups.append(Group(_name(row), y + NAME - 5, lines))
        y += NAME + LINE * len(cells) + GAP
    return Chart(
        groups=groups,
        ticks=x.ticks(range(lowest, highest + 1, step), str),
        columns=[column for _, column in drawn],
        has_intervals=has_intervals,
        zero=x(0) if lowest < 0 < highest else None,
        frame=Frame.within(WIDTH, int(y) + BOTTOM, left=LEFT, right=RIGHT, top=TOP, bottom=BOTTOM),
    )


def _line(cell: Cell, column: Column, x: Scale, y: float, lowest: float | None) -> Line:
    """`lowest`: where the scale begins, or None where a line would be taken for an interval."""
    assert cell.value is not None
    interval = cell.interval
    base = cell.value if lowest is None else max(0.0, lowest)
    start, end = interval or (base, cell.value)
    said = f"{column.title}: {cell.value:.{column.digits}f}"
    if interval:
        said += f", {interval[0]:.{column.digits}f} to {interval[1]:.{column.digits}f}"
    return Line(column.drawn, y, x(cell.value), x(min(start, end)), x(max(start, end)), said)


def _numbers(cell: Cell) -> Sequence[float]:
    assert cell.value is not None
    return [cell.value, *(cell.interval or ())]


def _name(row: Row) -> str:
    """Short enough to stand on one line, with what tells it from others; the table has it whole."""
    note = f", {row.note}" if row.note else ""
    room = max(LEAST_NAME, LONGEST_NAME - len(note))
    return f"{shortened(row.name, room)}{note}"[:LONGEST_NAME]
