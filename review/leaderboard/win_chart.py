"""Draw the win shares of each pair of models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from review.display.matrix import Matrix, draw_matrix
from review.leaderboard.computing import Pair

# The lowest share of points, in percent, of each shade from "loses nearly all" to "wins nearly
# all".
SHADES = (20, 35, 45, 55, 65, 80)


@dataclass(frozen=True)
class Duel:
    """The votes between two models, from the first one's view."""

    won: int
    lost: int
    tied: int

    @property
    def votes(self) -> int:
        return self.won + self.lost + self.tied

    @property
    def percent(self) -> float:
        """Return the first model's share of the points: 1 per win, 0.5 per tie."""
        return 100 * (self.won + self.tied / 2) / self.votes

    def turned(self) -> Duel:
        return Duel(self.lost, self.won, self.tied)


def duels_of(pairs: Sequence[Pair]) -> dict[tuple[str, str], Duel]:
    """Return duels in both directions, from a report's pairs."""
    duels: dict[tuple[str, str], Duel] = {}
    for pair in pairs:
        duel = Duel(pair.first_won, pair.second_won, pair.ties)
        duels[pair.first, pair.second] = duel
        duels[pair.second, pair.first] = duel.turned()
    return duels


def draw_wins(
    order: Sequence[str], names: Mapping[str, str], duels: Mapping[tuple[str, str], Duel]
) -> Matrix:
    """Draw the chart; a cell without a duel has no votes on the two."""
    tooltips = {
        (row, column): duels.get((ours, theirs))
        for row, ours in enumerate(order)
        for column, theirs in enumerate(order)
        if row != column
    }
    return draw_matrix([names[model] for model in order], tooltips, _shade)


def _shade(duel: Duel | None) -> int:
    return sum(duel.percent >= bound for bound in SHADES) if duel else 0
