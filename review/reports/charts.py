"""A line or two for each model, with a point and its interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from annotate.axes import Frame, Framed, Scale, Tick, shortened
from review.display.scale import bounds
from review.reports.cells import Cell, Column
from review.reports.tables import Section

WIDTH = 400
LEFT, RIGHT, TOP, BOTTOM = 12, 24, 8, 28
NAME, LINE, GAP = 18, 16, 8
PARTS = 5
MAX_NAME_LENGTH, MIN_NAME = 60, 24


@dataclass(frozen=True)
class Point:
    x: float
    title: str


@dataclass(frozen=True)
class Line:
    """`kind`: its style. `start` to `end`, in the chart's units: the interval, or from zero to the
    point, or over all points. Without an interval among lines with intervals, both are at the
    point. `stack_groups` sets `y`."""

    kind: str
    start: float
    end: float
    points: list[Point]
    y: float = 0.0


@dataclass(frozen=True)
class Group:
    name: str
    y: float
    lines: list[Line]


@dataclass(frozen=True, kw_only=True)
class GroupChart(Framed):
    groups: list[Group]
    ticks: list[Tick]


@dataclass(frozen=True, kw_only=True)
class Chart(GroupChart):
    """`zero`: the place of 0, None if the scale lacks it. `has_intervals`: whether the lines are
    intervals."""

    columns: list[Column]
    has_intervals: bool
    zero: float | None


def draw(section: Section) -> Chart | None:
    """Draw the section's drawn columns, in the order of its rows; return None without any
    number.
    """
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
    base = None if has_intervals else lowest
    groups, frame = stack_groups(
        (named_with(row.name, row.note), [_line(cell, column, x, base) for cell, column in cells])
        for row, cells in having
    )
    return Chart(
        groups=groups,
        ticks=x.ticks(range(lowest, highest + 1, step), str),
        columns=[column for _, column in drawn],
        has_intervals=has_intervals,
        zero=x(0) if lowest < 0 < highest else None,
        frame=frame,
    )


def stack_groups(named: Iterable[tuple[str, Sequence[Line]]]) -> tuple[list[Group], Frame]:
    """Place the lines of each name below it, one group below the other, and the frame around
    them."""
    groups, y = [], float(TOP)
    for name, lines in named:
        placed = [
            replace(line, y=y + NAME + LINE * (place + 0.5)) for place, line in enumerate(lines)
        ]
        groups.append(Group(name, y + NAME - 5, placed))
        y += NAME + LINE * max(1, len(lines)) + GAP
    frame = Frame.within(WIDTH, int(y) + BOTTOM, left=LEFT, right=RIGHT, top=TOP, bottom=BOTTOM)
    return groups, frame


def named_with(name: str, note: str) -> str:
    """Return a name short enough for one line, with the note that distinguishes it; the table has
    the full name."""
    after = f", {note}" if note else ""
    room = max(MIN_NAME, MAX_NAME_LENGTH - len(after))
    return f"{shortened(name, room)}{after}"[:MAX_NAME_LENGTH]


def _line(cell: Cell, column: Column, x: Scale, lowest: float | None) -> Line:
    """Draw one line. `lowest`: the start of the scale, or None if a line from there would look like
    an interval.
    """
    assert cell.value is not None
    interval = cell.interval
    base = cell.value if lowest is None else max(0.0, lowest)
    start, end = interval or (base, cell.value)
    title = f"{column.title}: {cell.value:z.{column.digits}f}"
    if interval:
        title += f", {interval[0]:z.{column.digits}f} to {interval[1]:z.{column.digits}f}"
    ends = x(min(start, end)), x(max(start, end))
    return Line(column.drawn, *ends, [Point(x(cell.value), title)])


def _numbers(cell: Cell) -> Sequence[float]:
    assert cell.value is not None
    return [cell.value, *(cell.interval or ())]
