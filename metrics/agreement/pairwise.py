"""One measure of agreement for every pair of raters."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

from metrics.agreement.estimate import Agreement
from metrics.agreement.labels import Label


@dataclass(frozen=True)
class PairwiseMatrix:
    """`cells[i][j]` is the agreement of `raters[i]` and `raters[j]`, equal to `cells[j][i]`; its
    `value` is None with a `reason` if undefined. The diagonal is None. No cell has an interval.
    """

    raters: tuple[Hashable, ...]
    cells: tuple[tuple[Agreement | None, ...], ...]


def pairwise_matrix(labels: Sequence[Label], measure: Callable[..., Agreement]) -> PairwiseMatrix:
    """Apply `measure`, a function of this package, to the units shared by each pair of raters.

    Raters are in the order in which `labels` first names them. Bind the measure's other arguments:
    `partial(weighted_kappa, weights="quadratic", scale=range(6))`. Raises ValueError as the measure
    does.
    """
    measure(labels, n_bootstrap=0)  # Raises for bad labels even if there is only one rater.
    by_rater: dict[Hashable, list[Label]] = {}
    for row in labels:
        by_rater.setdefault(row[0], []).append(row)
    raters = tuple(by_rater)
    cells: list[list[Agreement | None]] = [[None] * len(raters) for _ in raters]
    for (i, first), (j, second) in combinations(enumerate(raters), 2):
        cells[i][j] = cells[j][i] = measure([*by_rater[first], *by_rater[second]], n_bootstrap=0)
    return PairwiseMatrix(raters, tuple(map(tuple, cells)))
