"""A matrix with a cell for every two models, in the units of its SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.axes import shortened

CELL_WIDTH, CELL_HEIGHT, NAMES, HEAD = 46, 30, 164, 24
MAX_NAME_LENGTH = 20


@dataclass(frozen=True)
class Model:
    """`number` counts from 1, and heads the model's column; `x` and `y` are of its text."""

    number: int
    name: str
    short_name: str
    x: float
    y: float


@dataclass(frozen=True)
class Cell:
    """`value` is the number about its two models, `shade` a number of the chart's style, if any."""

    x: int
    y: int
    row: str
    column: str
    value: Any
    shade: int | None

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + CELL_WIDTH / 2, self.y + CELL_HEIGHT / 2


@dataclass(frozen=True)
class Matrix:
    models: list[Model]
    cells: list[Cell]
    width: int
    height: int
    cell_width: int = CELL_WIDTH
    cell_height: int = CELL_HEIGHT


def draw_matrix(
    names: Sequence[str],
    values: Mapping[tuple[int, int], Any],
    shade: Callable[[Any], int | None],
    *,
    longest_name: int = MAX_NAME_LENGTH,
) -> Matrix:
    """Draw a matrix. `values`: (index of the row's model, index of the column's model) -> value."""
    models = [
        Model(
            number=place + 1,
            name=name,
            short_name=shortened(name, longest_name),
            x=NAMES + (place + 0.5) * CELL_WIDTH,
            y=HEAD + (place + 0.5) * CELL_HEIGHT,
        )
        for place, name in enumerate(names)
    ]
    cells = [
        Cell(
            x=NAMES + column * CELL_WIDTH,
            y=HEAD + row * CELL_HEIGHT,
            row=names[row],
            column=names[column],
            value=value,
            shade=shade(value),
        )
        for (row, column), value in values.items()
    ]
    return Matrix(models, cells, NAMES + CELL_WIDTH * len(names), HEAD + CELL_HEIGHT * len(names))
