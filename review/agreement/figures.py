"""Where intervals and the matrix of people are drawn, in the units of their SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.axes import Tick

WIDTH, HEIGHT, PAD = 220, 20, 14
STEP = 0.2
# Of one cell of the matrix, and the room for names and numbers beside it.
CELL_WIDTH, CELL_HEIGHT, NAMES, HEAD = 46, 30, 164, 24
LONGEST_NAME = 24
SHADES = 5


@dataclass(frozen=True)
class Axis:
    """From `lowest`, a multiple of 0.2 that is at most 0, to 1."""

    lowest: float
    ticks: list[Tick]
    zero: float
    width: int = WIDTH
    height: int = HEIGHT
    middle: int = HEIGHT // 2


@dataclass(frozen=True)
class Mark:
    """A value with its interval, which it may lack."""

    at: float
    low: float | None
    high: float | None


def draw_axis(values: Sequence[float]) -> Axis:
    """Wide enough for all of the values, which are at most 1."""
    steps = max(0, math.ceil(-min(values, default=0) / STEP - 1e-9))
    lowest = -steps * STEP
    # Of a long axis every second or third tick has a label, so that they stand apart.
    every = -(-(steps + 5) // 6)
    ticks = [
        Tick(
            f"{number * STEP:.1f}" if (number - 5) % every == 0 else "",
            _x(number * STEP, lowest),
        )
        for number in range(-steps, 6)
    ]
    return Axis(lowest, ticks, _x(0, lowest))


def draw_mark(axis: Axis, value: float, low: float | None, high: float | None) -> Mark:
    def at(number: float | None) -> float | None:
        return None if number is None else _x(number, axis.lowest)

    return Mark(_x(value, axis.lowest), at(low), at(high))


def _x(value: float, lowest: float) -> float:
    return round(PAD + (WIDTH - 2 * PAD) * (value - lowest) / (1 - lowest), 2)


@dataclass(frozen=True)
class Pair:
    """How far two people agree; `kappa` None with the `reason`."""

    first: str
    second: str
    n_units: int
    equal: float
    kappa: float | None
    reason: str


@dataclass(frozen=True)
class Cell:
    """`shade` from 0, no better than chance, to 5; empty where there is no kappa. `pair` is None
    where two people share nothing."""

    x: int
    y: int
    shade: str
    pair: Pair | None

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + CELL_WIDTH / 2, self.y + CELL_HEIGHT / 2


@dataclass(frozen=True)
class Person:
    """`number` counts from 1, and heads the person's column; `x` and `y` are of its text."""

    number: int
    name: str
    shown: str
    x: float
    y: float


@dataclass(frozen=True)
class Matrix:
    people: list[Person]
    cells: list[Cell]
    width: int
    height: int
    names: int = NAMES
    head: int = HEAD
    cell_width: int = CELL_WIDTH
    cell_height: int = CELL_HEIGHT


def draw_matrix(names: Sequence[str], pairs: Mapping[tuple[int, int], Pair]) -> Matrix:
    """`pairs` by the places of their people in `names`, the smaller one first."""
    people = [
        Person(
            place + 1,
            name,
            name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…",
            NAMES + (place + 0.5) * CELL_WIDTH,
            HEAD + (place + 0.5) * CELL_HEIGHT,
        )
        for place, name in enumerate(names)
    ]
    cells = [
        _cell(row, column, pairs.get((min(row, column), max(row, column))))
        for row in range(len(names))
        for column in range(len(names))
        if row != column
    ]
    return Matrix(people, cells, NAMES + CELL_WIDTH * len(names), HEAD + CELL_HEIGHT * len(names))


def _cell(row: int, column: int, pair: Pair | None) -> Cell:
    kappa = pair.kappa if pair else None
    shade = "" if kappa is None else str(max(0, math.ceil(SHADES * kappa - 1e-9)))
    return Cell(NAMES + column * CELL_WIDTH, HEAD + row * CELL_HEIGHT, shade, pair)
