"""Maximum-likelihood strengths from votes with ties.

Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
experiments", JASA 65 (1970): with strengths b and one tie parameter v,

    P(i beats j) = e^((bi - bj) / 2) / D        D = e^((bi - bj) / 2) + e^((bj - bi) / 2) + v
    P(tie) = v / D

Without ties v is 0, and this is the model of Bradley and Terry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from metrics.pairwise.votes import Array

LIMIT = 200
TOLERANCE = 1e-8


@dataclass(frozen=True)
class Fit:
    """`strengths`: (m,), natural log-odds with sum 0. `tie`: Davidson's v. `information`: (m + 1, m
    + 1), minus the second derivatives by the strengths and by ln v; its last row is 0 without ties.
    `assumed`: whether an imagined model was added, as the last of the m, because the likelihood of
    the votes alone has no maximum.
    """

    strengths: Array
    tie: float
    information: Array
    assumed: bool


def fit(wins: Array, ties: Array) -> Fit:
    """Fit the counts from `tally`, of at least two models and one vote."""
    if has_maximum(wins, ties):
        return most_likely(wins, ties, assumed=False)
    return most_likely(*with_an_average_model(wins, ties), assumed=True)


def expected(strengths: Array, tie: float) -> tuple[Array, Array]:
    """Return P(row beats column) and P(tie), each (m, m); ignore the diagonals."""
    odds = np.exp((strengths[:, None] - strengths) / 2)
    total = odds + odds.T + tie
    return odds / total, tie / total


def reachable(beats: Array) -> Array:
    """Return (m, m): whether a chain of non-zero entries leads from the row to the column."""
    reach = (beats > 0) | np.eye(len(beats), dtype=bool)
    for _ in range(max(1, len(beats).bit_length())):
        reach = (reach.astype(float) @ reach.astype(float)) > 0
    return np.asarray(reach, dtype=float)


def has_maximum(wins: Array, ties: Array) -> bool:
    """Return whether the likelihood has its maximum at finite strengths and a finite tie parameter.

    It has none if it never falls along some direction. There are two cases: the strengths of one
    group rise without end, because it never lost to or tied with the rest (Ford, 1957); or the
    strengths and ln v rise together, which happens if differences d exist with di - dj >= 2 where i
    beat j and |di - dj| <= 2 where they tied. Such d exist unless the constraints have a negative
    cycle.
    """
    if not reachable(wins + ties).all():
        return False
    if not ties.any():
        return True
    distances = np.where(wins > 0, -2.0, np.where(ties > 0, 2.0, np.inf))
    np.fill_diagonal(distances, 0.0)
    for via in range(len(wins)):
        distances = np.minimum(distances, distances[:, via, None] + distances[via])
    return bool((np.diag(distances) < 0).any())


def with_an_average_model(wins: Array, ties: Array) -> tuple[Array, Array]:
    """Add one imagined vote of each model against an extra model, divided among the outcomes."""
    share = 1 / 3 if ties.any() else 1 / 2
    more_wins = np.pad(wins, (0, 1), constant_values=share)
    more_ties = np.pad(ties, (0, 1), constant_values=share if ties.any() else 0.0)
    more_wins[-1, -1] = more_ties[-1, -1] = 0.0
    return more_wins, more_ties


def most_likely(wins: Array, ties: Array, *, assumed: bool) -> Fit:
    """Maximize by Newton's method, with the damped step that always increases a logistic likelihood
    (Sun and Tran-Dinh, Mathematical Programming 178, 2019), from equal strengths.
    """
    m = len(wins)
    met, tied = wins + wins.T + ties, ties.sum() / 2
    points = (wins + ties / 2).sum(axis=1)
    strengths = np.zeros(m)
    log_tie = math.log(tied / wins.sum()) if tied else -math.inf
    for _ in range(LIMIT):
        tie = math.exp(log_tie)
        win_share, tie_share = expected(strengths, tie)
        information = _information(met, win_share, tie_share)
        slope = np.append(
            points - (met * (win_share + tie_share / 2)).sum(axis=1),
            tied - (met * tie_share).sum() / 2,
        )
        step = inverse(information) @ slope
        reach = float(np.ptp(step[:m]) + abs(step[m]))
        if reach < TOLERANCE:
            return Fit(strengths, tie, information, assumed)
        step *= math.log1p(reach) / reach
        strengths, log_tie = strengths + step[:m], log_tie + float(step[m])
    raise ArithmeticError(f"no most likely strengths after {LIMIT} steps")


def _information(met: Array, win_share: Array, tie_share: Array) -> Array:
    m = len(met)
    points = win_share + tie_share / 2
    variance = met * (win_share + tie_share / 4 - points**2)
    with_tie = (met * tie_share * (0.5 - points)).sum(axis=1)
    information = np.zeros((m + 1, m + 1))
    information[:m, :m] = np.diag(variance.sum(axis=1)) - variance
    information[:m, m] = information[m, :m] = with_tie
    information[m, m] = (met * tie_share * (1 - tie_share)).sum() / 2
    return information


def inverse(information: Array) -> Array:
    """Invert an information matrix of strengths with sum 0 and, with ties, of ln v."""
    m = len(information) - 1
    fixed: Array = information.copy()
    fixed[:m, :m] += np.trace(information[:m, :m]) / m**2
    if not information[m, m]:
        fixed[m, m] = 1.0
    return np.asarray(np.linalg.inv(fixed), dtype=float)
