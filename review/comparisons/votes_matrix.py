"""How many votes each two models have, as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from review.display.matrix import Matrix, draw_matrix

# From no vote to all that are wanted.
EMPTY, FULL = 3, 6


def draw_votes(names: Sequence[str], votes: Mapping[tuple[int, int], int], wanted: int) -> Matrix:
    """`votes`: of the models at two places of `names`, in either order; `wanted` of each pair."""
    turned = {(column, row): count for (row, column), count in votes.items()}
    return draw_matrix(names, {**votes, **turned}, partial(_shade, wanted))


def _shade(wanted: int, votes: int) -> int:
    """Only no vote is EMPTY, and only all votes are FULL."""
    if not votes:
        return EMPTY
    return FULL if votes >= wanted else EMPTY + 1 + (2 * votes >= wanted)
