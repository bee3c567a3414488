"""Reads votes into arrays and counts them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Vote = tuple[str, str, str]

LEFT, RIGHT, TIE = 0, 1, 2
OUTCOMES = {"left": LEFT, "right": RIGHT, "tie": TIE, "both_bad": TIE}
# Points of the left model for LEFT, RIGHT and TIE.
POINTS = np.array([1.0, 0.0, 0.5])
BOTH_BAD = ("tie", "leave_out")


@dataclass(frozen=True)
class Votes:
    """`models`: sorted by name. `left`, `right`, `outcome`: (n,), for each counted vote the indices
    of its two models, and LEFT, RIGHT or TIE. `counted`: for each input row whether it counts.
    """

    models: tuple[str, ...]
    left: Indices
    right: Indices
    outcome: Indices
    counted: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def n_left_out(self) -> int:
        return int((~self.counted).sum())

    @property
    def cells(self) -> Indices:
        """(n,): one number per vote for left, right and outcome together, which `tally` counts."""
        n = len(self.models)
        return np.asarray((self.left * n + self.right) * 3 + self.outcome, dtype=np.intp)

    def by_model(self, values: Array, ranking: Sequence[int]) -> dict[str, float]:
        return {self.models[i]: float(values[i]) for i in ranking}


def read_votes(comparisons: Iterable[Vote], both_bad: str) -> Votes:
    """Read (left, right, outcome) rows; a model without a counted vote is not among the models.

    Raises ValueError for an unknown outcome or option, a row without exactly three values, and a
    model compared with itself.
    """
    if both_bad not in BOTH_BAD:
        raise ValueError(f"both_bad is {both_bad!r}; choose from {', '.join(BOTH_BAD)}")
    # Distinct rows are few, so each is checked only once.
    kind, kinds = _numbered(map(tuple, comparisons))
    if any(len(row) != 3 for row in kinds):
        raise ValueError("a comparison is (left, right, outcome)")
    if unknown := {row[2] for row in kinds} - OUTCOMES.keys():
        outcomes = ", ".join(sorted(repr(outcome) for outcome in unknown))
        raise ValueError(f"outcome is {outcomes}; choose from {', '.join(OUTCOMES)}")
    if alone := [left for left, right, _ in kinds if left == right]:
        raise ValueError(f"{alone[0]!r} is compared with itself")
    left_out = "both_bad" if both_bad == "leave_out" else None
    counted = np.array([outcome != left_out for _, _, outcome in kinds], dtype=bool)[kind]
    models = sorted({model for row in kinds if row[2] != left_out for model in row[:2]})
    place_of = {model: place for place, model in enumerate(models)}
    # A model whose votes are all left out has no index, and none is looked up.
    codes = [(place_of.get(i, 0), place_of.get(j, 0), OUTCOMES[o]) for i, j, o in kinds]
    table = np.array(codes, dtype=np.intp).reshape(-1, 3)
    left, right, outcome = table[kind[counted]].T
    return Votes(tuple(models), left, right, outcome, counted)


def read_labels(labels: Sequence[Hashable], name: str, votes: Votes) -> Indices:
    """Number the labels of the counted votes from 0; raises ValueError unless each has one."""
    if len(labels) != len(votes.counted):
        n_votes = len(votes.counted)
        raise ValueError(f"{len(labels)} {name} for {n_votes} comparisons: give one for each")
    numbers = _numbered(labels)[0][votes.counted]
    return np.unique(numbers, return_inverse=True)[1] if votes.n_left_out else numbers


def _numbered(values: Iterable[Any]) -> tuple[Indices, list[Any]]:
    """Return the index of each value among the distinct values, and the distinct values."""
    number_of: defaultdict[Any, int] = defaultdict(count().__next__)
    numbers = np.fromiter(map(number_of.__getitem__, values), dtype=np.intp)
    return numbers, list(number_of)


def tally(
    cells: Indices, n_models: int, times: Indices | Array | None = None
) -> tuple[Array, Array]:
    """Return wins and ties, each (n_models, n_models): how often the row's model beat the column's,
    and how often they tied (symmetric); `times` weights the votes.
    """
    counts = np.bincount(cells, times, 3 * n_models**2).reshape(n_models, n_models, 3)
    wins = counts[:, :, LEFT] + counts[:, :, RIGHT].T
    ties = counts[:, :, TIE] + counts[:, :, TIE].T
    return wins.astype(float), ties.astype(float)


def by_rating(models: Sequence[str], ratings: Array) -> list[int]:
    """Return the models' indices from the highest rating to the lowest, ties by name."""
    return sorted(range(len(models)), key=lambda place: (-ratings[place], models[place]))
