"""Who agrees with whom: one measure for every pair of raters."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

from metrics.agreement.estimate import Agreement
from metrics.agreement.labels import Label


@dataclass(frozen=True)
class PairwiseMatrix:
    """`cells[i][j]`: how far `raters[i]` and `raters[j]` agree, the same as `cells[j][i]`; its
    `value` is None with a `reason` where that is not defined. The diagonal is None. No cell has
    an interval."""

    raters: tuple[Hashable, ...]
    cells: tuple[tuple[Agreement | None, ...], ...]


def pairwise_matrix(labels: Sequence[Label], measure: Callable[..., Agreement]) -> PairwiseMatrix:
    """Apply `measure`, one of this package, to the units that each two raters share.

    Raters come in the order in which `labels` first names them. What else the measure needs goes
    in beforehand: `partial(weighted_kappa, weights="quadratic", scale=range(6))`. Raises
    ValueError as the measure does.
    """
    measure(labels, n_bootstrap=0)  # Refuses what it can't read, even of one rater alone.
    given: dict[Hashable, list[Label]] = {}
    for row in labels:
        given.setdefault(row[0], []).append(row)
    raters = tuple(given)
    cells: list[list[Agreement | None]] = [[None] * len(raters) for _ in raters]
    for (i, first), (j, second) in combinations(enumerate(raters), 2):
        cells[i][j] = cells[j][i] = measure([*given[first], *given[second]], n_bootstrap=0)
    return PairwiseMatrix(raters, tuple(map(tuple, cells)))
