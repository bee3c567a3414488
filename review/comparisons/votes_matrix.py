"""How many votes each two models have, as cells in the units of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from review.leaderboard.win_chart import CELL_HEIGHT, CELL_WIDTH, HEAD, LONGEST_NAME, NAMES

# From no vote to all that are wanted.
EMPTY, FULL = 3, 6


@dataclass(frozen=True)
class Head:
    """`number` counts from 1, and heads the model's column; `x` and `y` are of its text."""

    number: int
    name: str
    shown: str
    x: float
    y: float


@dataclass(frozen=True)
class Cell:
    x: int
    y: int
    row: str
    column: str
    votes: int
    shade: int

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + CELL_WIDTH / 2, self.y + CELL_HEIGHT / 2


@dataclass(frozen=True)
class VotesMatrix:
    heads: list[Head]
    cells: list[Cell]
    width: int
    height: int
    cell_width: int = CELL_WIDTH
    cell_height: int = CELL_HEIGHT


def draw_votes(names: Sequence[str], votes: dict[tuple[int, int], int], wanted: int) -> VotesMatrix:
    """`votes`: of the models at two places of `names`, the lower first; `wanted` of each pair."""
    heads = [
        Head(
            number=place + 1,
            name=name,
            shown=name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…",
            x=NAMES + place * CELL_WIDTH + CELL_WIDTH / 2,
            y=HEAD + place * CELL_HEIGHT + CELL_HEIGHT / 2,
        )
        for place, name in enumerate(names)
    ]
    cells = [
        Cell(
            x=NAMES + column * CELL_WIDTH,
            y=HEAD + row * CELL_HEIGHT,
            row=names[row],
            column=names[column],
            votes=count,
            shade=_shade(count, wanted),
        )
        for (first, second), count in sorted(votes.items())
        for row, column in ((first, second), (second, first))
    ]
    side = len(names)
    return VotesMatrix(heads, cells, NAMES + side * CELL_WIDTH, HEAD + side * CELL_HEIGHT)


def _shade(votes: int, wanted: int) -> int:
    """Only no vote is EMPTY, and only all votes are FULL."""
    if not votes:
        return EMPTY
    return FULL if votes >= wanted else EMPTY + 1 + (2 * votes >= wanted)
