"""Draw the axis of intervals, in percent of its width, and the matrix of people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.axes import Tick
from review.display.matrix import Matrix, draw_matrix
from review.display.scale import FRAME, Axis

STEP = 0.2
MAX_NAME_LENGTH = 24
SHADES = 5


def draw_axis(values: Sequence[float]) -> Axis:
    """Return an axis from a multiple of 0.2 that is at most 0 to 1, wide enough for all of the
    values, which are at most 1."""
    steps = max(0, math.ceil(-min(values, default=0) / STEP - 1e-9))
    scale = FRAME.x(-steps * STEP, 1)
    # On a long axis only every second or third tick has a label, so that labels don't overlap.
    step = -(-(steps + 5) // 6)
    ticks = [
        Tick(f"{number * STEP:.1f}" if (number - 5) % step == 0 else "", scale(number * STEP))
        for number in range(-steps, 6)
    ]
    return Axis(frame=FRAME, scale=scale, ticks=ticks)


@dataclass(frozen=True)
class Pair:
    """The agreement of two people; `kappa` is None with a `reason`."""

    first: str
    second: str
    n_units: int
    equal: float
    kappa: float | None
    reason: str


def draw_pairs(names: Sequence[str], pairs: Mapping[tuple[int, int], Pair]) -> Matrix:
    """Draw `pairs`, by the indices of their people in `names`, the smaller one first."""
    tooltips = {
        (row, column): pairs.get((min(row, column), max(row, column)))
        for row in range(len(names))
        for column in range(len(names))
        if row != column
    }
    return draw_matrix(names, tooltips, _shade, longest_name=MAX_NAME_LENGTH)


def _shade(pair: Pair | None) -> int | None:
    """Return the shade from 0 (no better than chance) to 5; None without a kappa."""
    if pair is None or pair.kappa is None:
        return None
    return max(0, math.ceil(SHADES * pair.kappa - 1e-9))
