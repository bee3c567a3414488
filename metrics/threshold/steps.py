"""Where the best split of the population may be, if errors are steps of the score.

The model: any number of steps, and between two of them the captions are exchangeable, whatever
their distribution. Each gap between neighboring scores is a step with the same small probability. A
draw of its posterior (Fearnhead 2006, Statistics and Computing 16, by a recursion from the last
caption to the first) is a set of steps. The population of a draw weights the captions at random
(the Bayesian bootstrap, Rubin 1981, Annals of Statistics 9), so the levels and the scores vary,
too. The rule's best split of that population is one of its steps.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from metrics.intervals import CELL_BATCH_SIZE, Array

# How many steps are expected before anybody looks; chosen among 0.3, 1, 3 and 10 in simulations.
EXPECTED_STEPS = 3.0
# Errors are sorted into so many kinds at most, and as many captions are imagined before the first.
MAX_KINDS, IMAGINED = 6, 1.0
# More places than these are thinned out evenly: the recursion takes their number squared.
MAX_PLACES = 1500

Counts = NDArray[np.signedinteger]


def draw_best_splits(
    x: Array, y: Array, w: Array, rule: str, splits: Counts, n_draws: int, seed: int
) -> Counts:
    """Return (2, draws) the lowest and the highest of the best splits of each draw in which errors
    fall: how many captions are below. Splits whose gain is less than 1 / sqrt(n) below the greatest
    are as good, because n captions hardly tell them apart.

    `x`: (n,) increasing scores; `y`, `w`: their errors and weights; `splits`: the possible numbers
    of captions below a threshold. `rule`: change_point or youden, as in `metrics.threshold.rules`.
    """
    random = np.random.default_rng(seed)
    gaps = np.flatnonzero(x[1:] > x[:-1]) + 1
    if len(gaps) > MAX_PLACES:
        gaps = gaps[np.linspace(0, len(gaps) - 1, MAX_PLACES).astype(int)]
    edges = np.concatenate([[0], gaps, [len(x)]])
    draws, ends = _draw_steps(edges, _kinds(y), n_draws, random)
    is_possible = np.isin(ends, splits)
    best: list[Counts] = []
    rows = max(1, CELL_BATCH_SIZE // len(x))
    for first in range(0, n_draws, rows):
        here = is_possible & (draws >= first) & (draws < first + rows)
        draw, end = draws[here] - first, ends[here]
        mass = random.standard_exponential((min(rows, n_draws - first), len(x))) * w
        below, errors = np.cumsum(mass, axis=1), np.cumsum(mass * y, axis=1)
        total = below[draw, -1]
        gain = errors[draw, end - 1] * total - below[draw, end - 1] * errors[draw, -1]
        if rule == "change_point":
            gain = np.maximum(gain, 0) ** 2
            gain /= below[draw, end - 1] * (total - below[draw, end - 1])
        greatest = np.zeros(len(mass))
        np.maximum.at(greatest, draw, gain)
        is_near = (gain > 0) & (gain >= (1 - 1 / sqrt(len(x))) * greatest[draw])
        lowest, highest = np.full(len(mass), len(x)), np.zeros(len(mass), dtype=int)
        np.minimum.at(lowest, draw[is_near], end[is_near])
        np.maximum.at(highest, draw[is_near], end[is_near])
        best.append(np.stack([lowest, highest])[:, highest > 0])
    return np.concatenate(best, axis=1)


def _kinds(y: Array) -> Counts:
    """Return (n,) the kind of each number of errors: the number itself, or its part of the ordered
    captions if there are more than MAX_KINDS numbers.
    """
    numbers, kind, counts = np.unique(y.round(9), return_inverse=True, return_counts=True)
    if len(numbers) <= MAX_KINDS:
        return kind
    middle = (np.cumsum(counts) - counts / 2) / len(y)
    part = np.unique((middle * MAX_KINDS).astype(int), return_inverse=True)[1]
    merged: Counts = part[kind]
    return merged


def _draw_steps(
    edges: Counts, kinds: Counts, n_draws: int, random: np.random.Generator
) -> tuple[Counts, Counts]:
    """Return the number of the draw, and the captions below, of each step of all draws; each draw
    has a step at least.
    """
    chances = _chances_of_next(edges, kinds)
    at: list[list[Counts]] = [[] for _ in edges]
    at[0] = [np.arange(n_draws)]
    draws, ends = [], []
    for place, cumulative in enumerate(chances):
        if not at[place]:
            continue
        arrived = np.concatenate(at[place])
        chosen = np.searchsorted(cumulative, random.random(len(arrived)), side="right")
        following = place + 1 + np.minimum(chosen, len(cumulative) - 1)
        for edge in np.unique(following[following < len(chances)]):
            members = arrived[following == edge]
            at[edge].append(members)
            draws.append(members)
            ends.append(np.full(len(members), edges[edge]))
    return np.concatenate(draws), np.concatenate(ends)


def _chances_of_next(edges: Counts, kinds: Counts) -> list[Array]:
    """Return, for a level that begins at each edge, the cumulative probabilities that it ends at
    each later one.
    """
    n, places = len(kinds), len(edges) - 1
    log_step = np.log(EXPECTED_STEPS / places)
    prior = IMAGINED * np.bincount(kinds) / n
    below = np.array([np.append(0, np.cumsum(kinds == kind)) for kind in range(len(prior))])
    rises = [_log_rising(start, n) for start in prior]
    all_kinds = _log_rising(IMAGINED, n)
    later = np.zeros(places + 1)
    chances: list[Array] = [np.empty(0)] * places
    for place in range(places - 1, -1, -1):
        start, ends = edges[place], edges[place + 1 :]
        log = later[place + 1 :] - all_kinds[ends - start]
        for kind, rise in enumerate(rises):
            log += rise[below[kind, ends] - below[kind, start]]
        log[:-1] += log_step
        if not place:
            log[-1] = -np.inf  # without a step there is no threshold
        cumulative = np.cumsum(np.exp(log - log.max()))
        later[place] = log.max() + np.log(cumulative[-1])
        chances[place] = cumulative / cumulative[-1]
    return chances


def _log_rising(start: float, n: int) -> Array:
    """Return (n + 1,) logarithms of start (start + 1) ... (start + m - 1), m from 0."""
    return np.append(0, np.cumsum(np.log(start + np.arange(n))))
