"""Who beats whom: a cell for every two models, in the units of its SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CELL_WIDTH, CELL_HEIGHT, NAMES, HEAD = 46, 30, 164, 24
LONGEST_NAME = 20
# The least share of points, in percent, of the shades from "loses nearly all" to "wins nearly all".
SHADES = (20, 35, 45, 55, 65, 80)


@dataclass(frozen=True)
class Duel:
    """Votes between two models, seen from the first of them."""

    won: int
    lost: int
    tied: int

    @property
    def votes(self) -> int:
        return self.won + self.lost + self.tied

    @property
    def percent(self) -> float:
        """The share of the points that the first won: 1 for a vote won, a half for a tie."""
        return 100 * (self.won + self.tied / 2) / self.votes

    def turned(self) -> Duel:
        return Duel(self.lost, self.won, self.tied)


@dataclass(frozen=True)
class Cell:
    """`duel` is None where no vote compares the two. `shade` from 0 to 6."""

    x: int
    y: int
    shade: int
    row: str
    column: str
    duel: Duel | None

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + CELL_WIDTH / 2, self.y + CELL_HEIGHT / 2


@dataclass(frozen=True)
class Model:
    """`number` counts from 1, and heads the model's column; `x` and `y` are of its text."""

    number: int
    name: str
    shown: str
    x: float
    y: float


@dataclass(frozen=True)
class WinMatrix:
    models: list[Model]
    cells: list[Cell]
    width: int
    height: int
    cell_width: int = CELL_WIDTH
    cell_height: int = CELL_HEIGHT


def duels_of(pairs: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], Duel]:
    """Both ways round, from the pairs of a report."""
    duels: dict[tuple[str, str], Duel] = {}
    for pair in pairs:
        duel = Duel(pair["first_won"], pair["second_won"], pair["ties"])
        duels[pair["first"], pair["second"]] = duel
        duels[pair["second"], pair["first"]] = duel.turned()
    return duels


def draw_wins(
    order: Sequence[str], names: Mapping[str, str], duels: Mapping[tuple[str, str], Duel]
) -> WinMatrix:
    models = [
        Model(
            place + 1,
            names[model],
            names[model] if len(names[model]) <= LONGEST_NAME else f"{names[model][:19]}…",
            NAMES + (place + 0.5) * CELL_WIDTH,
            HEAD + (place + 0.5) * CELL_HEIGHT,
        )
        for place, model in enumerate(order)
    ]
    cells = [
        Cell(
            NAMES + column * CELL_WIDTH,
            HEAD + row * CELL_HEIGHT,
            sum(duel.percent >= bound for bound in SHADES) if duel else 0,
            names[ours],
            names[theirs],
            duel,
        )
        for row, ours in enumerate(order)
        for column, theirs in enumerate(order)
        if row != column
        for duel in [duels.get((ours, theirs))]
    ]
    return WinMatrix(
        models, cells, NAMES + CELL_WIDTH * len(order), HEAD + CELL_HEIGHT * len(order)
    )
