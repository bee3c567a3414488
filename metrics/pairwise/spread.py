"""Variance of the strengths if other reviewers had judged other clips.

Votes of one reviewer, and votes on one clip, are correlated, so they hold less information than
independent votes. The variance is a sandwich estimate with clustered scores, added over reviewers
and clips minus their crossing: Cameron, Gelbach and Miller, "Robust inference with multiway
clustering", JBES 29 (2011). The bootstrap resamples the same clusters, fits again, and combines
variances in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.pairwise.fit import Fit, expected, fit, inverse
from metrics.pairwise.votes import POINTS, TIE, Array, Indices, Votes, tally
from metrics.student_t import Z_95, bound_95

# Numbers in the largest table of scores in memory.
MAXIMUM = 4_000_000


@dataclass(frozen=True)
class Way:
    """A division of the votes into clusters. `group`: (n,), each vote's cluster, from 0; None if
    each vote is its own cluster. `sign`: whether its variance is added or subtracted.
    """

    group: Indices | None
    n_groups: int
    sign: int = 1


def ways(clusters: Sequence[Indices], n_votes: int) -> list[Way]:
    """Return the divisions whose variances are combined: none, one, or two and their crossing."""
    if not clusters:
        return [Way(None, n_votes)]
    single = [Way(group, int(group.max()) + 1) for group in clusters]
    if len(single) == 1:
        return single
    first, second = clusters
    pairs, crossing = np.unique(first * (second.max() + 1) + second, return_inverse=True)
    if len(pairs) == n_votes:
        return [*single, Way(None, n_votes, sign=-1)]
    return [*single, Way(crossing, len(pairs), sign=-1)]


def half_widths(covariance: Array, divisions: Sequence[Way]) -> Array:
    """Return half the width of each strength's 95 % interval. The division with the fewest clusters
    sets the degrees of freedom.
    """
    clustered = [way.n_groups for way in divisions if way.sign > 0 and way.group is not None]
    bound = bound_95(min(clustered) - 1) if clustered else Z_95
    return np.asarray(bound * np.sqrt(np.diag(covariance)))


def covariance(
    votes: Votes,
    fitted: Fit,
    divisions: Sequence[Way],
    n_bootstrap: int,
    seed: int,
) -> Array:
    """Return the covariance, (models, models), of the strengths minus their mean: by the sandwich,
    or from `n_bootstrap` resamples if it is not 0.

    No variance is below that of independent votes, from the curvature. Otherwise a few clusters
    whose scores happen to cancel out, or unanimous votes, would look certain.
    """
    bread = centered(inverse(fitted.information)[: len(votes.models)])
    if n_bootstrap:
        matrix = _bootstrap(votes, divisions, n_bootstrap, seed)
    else:
        matrix = bread @ _meat(votes, fitted, divisions) @ bread.T
    return at_least(np.diag(bread @ fitted.information @ bread.T), matrix)


def at_least(independent: Array, matrix: Array) -> Array:
    """Return the covariance with no variance below that of independent votes."""
    # Subtracting the crossing can make a variance negative (Cameron, Gelbach and Miller, 2.3).
    values, vectors = np.linalg.eigh(matrix)
    matrix = (vectors * np.maximum(values, 0)) @ vectors.T
    np.fill_diagonal(matrix, np.maximum(np.diag(matrix), independent))
    return np.asarray(matrix)


def _meat(votes: Votes, fitted: Fit, divisions: Sequence[Way]) -> Array:
    """Return the sum of the outer products of the clusters' scores with themselves. A score is the
    first derivative of the log-likelihood by the strengths and ln v.
    """
    win_share, tie_share = expected(fitted.strengths, fitted.tie)
    n, width = len(votes.models), len(fitted.information)
    seen = (slice(n), slice(n), np.newaxis)
    by_points = (POINTS - (win_share + tie_share / 2)[seen]).ravel()
    by_tie = ((np.arange(3) == TIE) - tie_share[seen]).ravel()
    meat = np.zeros((width, width))
    for way in divisions:
        cells, group = votes.cells, way.group
        times = np.ones(len(votes))
        if group is None:
            # Equal votes have equal scores, so one row with the root of their number replaces them.
            counts = np.bincount(cells, times**2)
            cells = np.flatnonzero(counts)
            group, times = np.arange(len(cells)), np.sqrt(counts[cells])
        left, right = np.divmod(cells // 3, n)
        columns = np.stack([left, right, np.full(len(cells), width - 1)])
        scores = np.stack([by_points[cells], -by_points[cells], by_tie[cells]]) * times
        for inside, rows in _blocks(group, int(group.max()) + 1, MAXIMUM // width):
            places = (group[inside] - rows.start) * width + columns[:, inside]
            size = len(rows) * width
            summed = np.bincount(places.ravel(), scores[:, inside].ravel(), size)
            table = summed.reshape(len(rows), width)
            meat += way.sign * correction(way) * (table.T @ table)
    return meat


def _blocks(group: Indices, n_groups: int, most: int) -> Iterator[tuple[Indices | slice, range]]:
    """Yield the votes of at most `most` clusters at a time, and the clusters' numbers."""
    if n_groups <= most:
        yield slice(None), range(n_groups)
        return
    for first in range(0, n_groups, most):
        rows = range(first, min(first + most, n_groups))
        yield np.flatnonzero((group >= rows.start) & (group < rows.stop)), rows


def _bootstrap(votes: Votes, divisions: Sequence[Way], n_bootstrap: int, seed: int) -> Array:
    random = np.random.default_rng(seed)
    n, cells = len(votes.models), votes.cells
    total = np.zeros((n, n))
    for way in divisions:
        draw = _drawing(cells, way, n, random)
        strengths = np.array([centered(fit(*draw()).strengths[:n]) for _ in range(n_bootstrap)])
        total += way.sign * correction(way) * np.cov(strengths, rowvar=False)
    return total


def _drawing(
    cells: Indices, way: Way, n_models: int, random: np.random.Generator
) -> Callable[[], tuple[Array, Array]]:
    """Return a function that draws clusters with replacement and counts their votes."""
    if way.group is None:
        every = np.arange(3 * n_models**2)
        shares = np.bincount(cells, minlength=len(every)) / len(cells)
        return lambda: tally(every, n_models, random.multinomial(way.n_groups, shares))
    group, equal = way.group, np.full(way.n_groups, 1 / way.n_groups)
    return lambda: tally(cells, n_models, random.multinomial(way.n_groups, equal)[group])


def correction(way: Way) -> float:
    """Return the factor n / (n - 1), because the scores are centered on their own mean."""
    return 1.0 if way.group is None else way.n_groups / (way.n_groups - 1)


def centered(values: Array) -> Array:
    return np.asarray(values - values.mean(axis=0))
