"""Bradley-Terry strengths with the quality of each person who voted.

Chen, Bennett, Collins-Thompson and Horvitz, "Pairwise ranking aggregation in a crowdsourced
setting", WSDM 2013: person k gives the vote that the strengths make likely with probability q_k and
the opposite one otherwise,

    P(k prefers i to j) = q_k P(i beats j) + (1 - q_k) P(j beats i)

P is Davidson's model with ties (`metrics.pairwise.fit`). The opposite of a tie is a tie, so ties
say nothing about quality. As in the paper, each model has one imagined vote against an average
model (there: the virtual node, with lambda = 1/2), and qualities have a prior of 10 to 1.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from metrics.intervals import Array
from metrics.pairwise.fit import Fit, expected, most_likely, with_an_average_model
from metrics.pairwise.spread import Way, at_least, centered, correction, half_widths, ways
from metrics.pairwise.strength import MEAN, POINTS_PER_LOG_ODDS, parts_of, ranks_of
from metrics.pairwise.votes import (
    LEFT,
    POINTS,
    TIE,
    Indices,
    Vote,
    Votes,
    by_rating,
    read_labels,
    read_votes,
    tally,
)

VERSION = 1
# Imagined votes of each person with and against the strengths.
IMAGINED = (10.0, 1.0)
LIMIT = 1000
TOLERANCE = 1e-7
FLAT = "The votes don't determine strengths and qualities together, so there are no intervals."
SPLIT = "Votes don't connect all models, so there are no ranks."


@dataclass(frozen=True)
class Quality:
    """`value`: the probability that a vote of this person follows the strengths; 0.5 is guessing,
    and lower is voting for the worse. `n_votes`: those without ties. It has no interval: a quality
    and the distances of the strengths explain the same votes, and the prior decides between them.
    """

    rater: Hashable
    value: float
    n_votes: int


@dataclass(frozen=True)
class CrowdBradleyTerry:
    """Ratings with mean 1000 by model, highest first, ties by name, as of `bradley_terry`.

    `low`, `high`: the 95 % interval of the distance from the mean; empty with a `reason`. `ranks`:
    1 plus the number of models whose interval is entirely above; None with a `reason`. `people`:
    lowest quality first, ties in the order of their first vote.
    """

    ratings: dict[str, float]
    low: dict[str, float]
    high: dict[str, float]
    ranks: dict[str, int] | None
    people: tuple[Quality, ...]
    reason: str
    tie: float
    n_votes: int
    clustered_by: tuple[str, ...]
    imagined: tuple[float, float]
    n_iterations: int
    has_converged: bool
    version: int = VERSION


def crowd_bradley_terry(
    comparisons: Iterable[Vote],
    reviewers: Sequence[Hashable],
    clips: Sequence[Hashable] | None = None,
    *,
    imagined: tuple[float, float] = IMAGINED,
) -> CrowdBradleyTerry:
    """Rate models and people from (left, right, outcome) rows with the reviewer of each.

    The intervals are those of `bradley_terry`: a sandwich over reviewers and `clips`, with the
    observed information of strengths and qualities together (Louis, JRSS B 44, 1982). "Both bad" is
    a tie. Raises ValueError as `bradley_terry` does.
    """
    votes = read_votes(comparisons, "tie")
    rater_of = read_labels(reviewers, "reviewers", votes)
    clusters = {"reviewers": rater_of}
    if clips is not None:
        clusters["clips"] = read_labels(clips, "clips", votes)
    clusters = {name: group for name, group in clusters.items() if group.max(initial=0) > 0}
    result = partial(
        CrowdBradleyTerry,
        n_votes=len(votes),
        clustered_by=tuple(clusters),
        imagined=imagined,
    )
    if not len(votes):
        return result(
            {}, {}, {}, None, (), "There are no votes.", 0.0, n_iterations=0, has_converged=True
        )
    rows = _Rows.of(votes, rater_of)
    fitted = _fit(rows, imagined)
    n = len(votes.models)
    strengths = fitted.strengths.strengths[:n]
    ratings = MEAN + POINTS_PER_LOG_ODDS * (strengths - strengths.mean())
    bread = _bread(rows, fitted)
    ranking = by_rating(votes.models, ratings)
    met = tally(votes.cells, n)
    reasons = [SPLIT] if len(parts_of(met[0] + met[1])) > 1 else []
    low: dict[str, float] = {}
    high: dict[str, float] = {}
    ranks = None
    if bread is None:
        reasons.append(FLAT)
    else:
        divisions = ways(list(clusters.values()), len(votes))
        half = POINTS_PER_LOG_ODDS * _half_widths(votes, rater_of, fitted, bread, divisions)
        low, high = votes.by_model(ratings - half, ranking), votes.by_model(ratings + half, ranking)
        ranks = None if reasons else ranks_of(votes, ratings, half, ranking)
    return result(
        ratings=votes.by_model(ratings, ranking),
        low=low,
        high=high,
        ranks=ranks,
        people=_people(dict.fromkeys(reviewers), rows, fitted),
        reason=" ".join(reasons),
        tie=fitted.strengths.tie,
        n_iterations=fitted.n_iterations,
        has_converged=fitted.has_converged,
    )


@dataclass(frozen=True)
class _Rows:
    """Equal votes of one person as one row. `cell`, `rater`, `times`, `is_tie`: (n,)."""

    cell: Indices
    rater: Indices
    times: Array
    is_tie: NDArray[np.bool_]
    n_models: int
    n_raters: int

    @classmethod
    def of(cls, votes: Votes, rater_of: Indices) -> _Rows:
        n_cells = 3 * len(votes.models) ** 2
        keys, times = np.unique(rater_of * n_cells + votes.cells, return_counts=True)
        rater, cell = np.divmod(keys, n_cells)
        is_tie = cell % 3 == TIE
        n_raters = int(rater_of.max()) + 1
        return cls(cell, rater, times.astype(float), is_tie, len(votes.models), n_raters)

    def per_rater(self, values: Array) -> Array:
        sums = np.bincount(self.rater, np.where(self.is_tie, 0, values), self.n_raters)
        return np.asarray(sums, dtype=float)


@dataclass(frozen=True)
class _Crowd:
    """`strengths`: of the models and the average one. `quality`: (n_raters,). `straight`:
    (n_rows,), the probability that a vote is not an opposite one. `votes`: (n_raters,), with the
    imagined ones."""

    strengths: Fit
    quality: Array
    straight: Array
    votes: Array
    n_iterations: int
    has_converged: bool


def _fit(rows: _Rows, imagined: tuple[float, float]) -> _Crowd:
    """Maximize by EM, from strengths of equally good people."""
    votes = rows.per_rater(rows.times) + sum(imagined)
    quality = np.full(rows.n_raters, imagined[0] / sum(imagined))
    opposite = _opposite(rows.cell)
    straight = np.ones(len(rows.cell))
    ratings = np.zeros(rows.n_models)
    for number in range(1, LIMIT + 1):
        wins, ties = tally(rows.cell, rows.n_models, rows.times * straight)
        others, more_ties = tally(opposite, rows.n_models, rows.times * (1 - straight))
        fitted = most_likely(*with_an_average_model(wins + others, ties + more_ties), assumed=True)
        chances = _chances(fitted, rows.n_models)
        straight = _straight(quality[rows.rater], chances[rows.cell], chances[opposite])
        before, quality = quality, (rows.per_rater(rows.times * straight) + imagined[0]) / votes
        moved = fitted.strengths[: rows.n_models] - ratings
        ratings = fitted.strengths[: rows.n_models]
        change = max(float(np.abs(moved).max()), float(np.abs(quality - before).max()))
        if change < TOLERANCE:
            return _Crowd(fitted, quality, straight, votes, number, True)
    return _Crowd(fitted, quality, straight, votes, LIMIT, False)


def _chances(fitted: Fit, n_models: int) -> Array:
    """Return the probability of each cell: left, right and outcome."""
    win, tie = expected(fitted.strengths, fitted.tie)
    n = slice(n_models)
    return np.stack([win[n, n], win[n, n].T, tie[n, n]], axis=2).ravel()


def _opposite(cell: Indices) -> Indices:
    return np.where(cell % 3 == TIE, cell, cell - 2 * (cell % 3) + 1)


def _straight(quality: Array, chance: Array, opposite_chance: Array) -> Array:
    """Return the probability of each vote that it is not an opposite one."""
    follows, opposes = quality * chance, (1 - quality) * opposite_chance
    return follows / (follows + opposes)


def _bread(rows: _Rows, fitted: _Crowd) -> Array | None:
    """Return the inverse of the observed information of the strengths with sum 0, of ln v and of
    the log-odds of the qualities; None if it has none."""
    information = fitted.strengths.information
    width = len(information)
    m = width - 1
    full = np.zeros((width + rows.n_raters, width + rows.n_raters))
    full[:width, :width] = information
    places = width + np.arange(rows.n_raters)
    full[places, places] = fitted.votes * fitted.quality * (1 - fitted.quality)
    # The information that is missing because it is unknown which votes are opposite ones.
    unsure = np.where(rows.is_tie, 0, rows.times * fitted.straight * (1 - fitted.straight))
    left, right = np.divmod(rows.cell // 3, rows.n_models)
    sign = np.where(rows.cell % 3 == LEFT, 1.0, -1.0)
    axes = ((left, sign), (right, -sign), (width + rows.rater, np.ones(len(sign))))
    for first, first_values in axes:
        for second, second_values in axes:
            np.subtract.at(full, (first, second), unsure * first_values * second_values)
    full[:m, :m] += np.trace(information[:m, :m]) / m**2
    if not information[m, m]:
        full[m, m] = 1.0
    if np.linalg.eigvalsh(full)[0] <= 1e-9:
        return None
    return np.asarray(np.linalg.inv(full))


def _half_widths(
    votes: Votes, rater_of: Indices, fitted: _Crowd, bread: Array, divisions: Sequence[Way]
) -> Array:
    """Return half widths as in `metrics.pairwise.spread`: no variance is below that of independent
    votes.
    """
    n = len(votes.models)
    strengths = centered(bread[:n])
    scores = _scores(votes, rater_of, fitted)
    meat = np.zeros(bread.shape)
    for way in divisions:
        summed = scores
        if way.group is not None:
            summed = np.zeros((way.n_groups, scores.shape[1]))
            np.add.at(summed, way.group, scores)
        meat += way.sign * correction(way) * (summed.T @ summed)
    independent = np.diag(strengths[:, :n] - strengths[:, :n].mean(axis=1, keepdims=True))
    return half_widths(at_least(independent, strengths @ meat @ strengths.T), divisions)


def _scores(votes: Votes, rater_of: Indices, fitted: _Crowd) -> Array:
    """Return (n_votes, parameters): the first derivatives of each vote's log-likelihood."""
    n, width = len(votes.models), len(fitted.strengths.information)
    win, tie = expected(fitted.strengths.strengths, fitted.strengths.tie)
    chances = _chances(fitted.strengths, n)
    is_tie = votes.outcome == TIE
    mine = fitted.quality[rater_of]
    straight = _straight(mine, chances[votes.cells], chances[_opposite(votes.cells)])
    points = POINTS[votes.outcome]
    points = straight * points + (1 - straight) * (1 - points)
    away = points - (win + tie / 2)[votes.left, votes.right]
    rows = np.arange(len(votes))
    scores = np.zeros((len(votes), width + len(fitted.quality)))
    scores[rows, votes.left] = away
    scores[rows, votes.right] = -away
    if fitted.strengths.tie:
        scores[rows, width - 1] = is_tie - tie[votes.left, votes.right]
    scores[rows, width + rater_of] = np.where(is_tie, 0, straight - mine)
    return scores


def _people(names: Iterable[Hashable], rows: _Rows, fitted: _Crowd) -> tuple[Quality, ...]:
    counts = rows.per_rater(rows.times)
    people = [
        Quality(name, float(value), int(count))
        for name, value, count in zip(names, fitted.quality, counts, strict=True)
    ]
    return tuple(sorted(people, key=lambda person: person.value))
