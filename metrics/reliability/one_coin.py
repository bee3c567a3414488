"""One estimate of each person's reliability from all evidence.

The reliability r of a person is the probability that an answer of theirs is right. Gold and spot
checks show right and wrong answers. Shared units and repeats show only whether answers are equal,
so the right label of a unit is unknown, and the model is that of Dawid and Skene, "Maximum
likelihood estimation of observer error-rates using the EM algorithm", Applied Statistics 28 (1979),
with one parameter per person: a right answer has probability r, and the wrong labels share 1 - r
equally. A repeat is one more answer of the same person about the same unit.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.agreement.labels import Label
from metrics.intervals import Array
from metrics.reliability.answers import Answers, read_answers
from metrics.student_t import Z_95

VERSION = 1
# The imagined right and wrong answers of each person.
IMAGINED = (3.0, 1.0)
LIMIT = 1000
TOLERANCE = 1e-9
# Numbers in the largest table in memory while the information is added up.
MAXIMUM = 4_000_000
NOTHING = "Neither known answers nor units that others answered say anything about this person."
FLAT = "The answers don't determine it, so there is no interval."


@dataclass(frozen=True)
class Known:
    """How many of a person's answers with a known right answer are right: gold, or spot checks. An
    answer with parts may count as a fraction."""

    rater: Hashable
    right: float
    answered: float


@dataclass(frozen=True)
class Reliability:
    """`value`: the probability of a right answer, with its 95 % interval; None if undefined, and
    `reason` says why. `beyond_chance`: the share of answers that are not guesses, 0 for a person
    who guesses. `known`: answers with a known right answer. `compared`: answers about units with
    other answers.
    """

    rater: Hashable
    value: float | None
    low: float | None
    high: float | None
    beyond_chance: float | None
    reason: str
    known: float
    compared: int


@dataclass(frozen=True)
class Reliabilities:
    """`people`: in the order of their first answer, then of the known answers. `shares`: the
    estimated share of units with each label of the scale as the right one."""

    people: tuple[Reliability, ...]
    shares: tuple[float, ...]
    n_units: int
    n_answers: int
    tolerance: int
    imagined: tuple[float, float]
    n_iterations: int
    has_converged: bool
    version: int = VERSION


def estimate_reliability(
    labels: Sequence[Label],
    scale: Sequence[Hashable],
    known_answers: Sequence[Known] = (),
    *,
    tolerance: int = 0,
    imagined: tuple[float, float] = IMAGINED,
) -> Reliabilities:
    """Estimate the reliability of everybody in `labels`, (rater, unit, label) rows, and
    `known_answers`.

    A label at most `tolerance` steps of the scale from the right one counts as right, so a rating
    may be right if it is near. `imagined`: right and wrong answers that are added for each person;
    they keep the estimate of a few answers from 0 and 1, and say that people are more often right
    than wrong, which equal answers alone can't.

    The interval is symmetric in log-odds, from the observed information (Louis, "Finding the
    observed information matrix when using the EM algorithm", JRSS B 44, 1982), with the shares of
    the labels taken as known. Raises ValueError as `read_answers` does, and for known answers that
    are more right than answered or a tolerance with which every label is right.
    """
    near = _near(len(scale), tolerance)
    for counts in known_answers:
        if not 0 <= counts.right <= counts.answered:
            raise ValueError(
                f"{counts.right} of {counts.answered} answers of {counts.rater!r} can't be"
            )
    answers = read_answers(labels, scale, least_per_unit=2)
    names = list(dict.fromkeys([*answers.raters, *(counts.rater for counts in known_answers)]))
    place = {name: number for number, name in enumerate(names)}
    right, answered = np.zeros(len(names)), np.zeros(len(names))
    for counts in known_answers:
        right[place[counts.rater]] += counts.right
        answered[place[counts.rater]] += counts.answered
    compared = np.bincount(answers.rater_of, minlength=len(names)).astype(float)
    fixed = right + imagined[0], answered + sum(imagined)
    # Units with the same answers of the same people have the same right label.
    times = answers.patterns.counts
    different = answers.only(answers.patterns.first)
    fitted = _fit(different, times, near, compared, fixed)
    spread = _spread(different, times, near, compared, fixed[1], fitted)
    chance = float(near.mean())
    return Reliabilities(
        people=tuple(
            _person(name, answered[i], int(compared[i]), fitted.values[i], spread[i], chance)
            for i, name in enumerate(names)
        ),
        shares=tuple(fitted.shares.tolist()),
        n_units=len(answers.units),
        n_answers=len(answers),
        tolerance=tolerance,
        imagined=imagined,
        n_iterations=fitted.n_iterations,
        has_converged=fitted.has_converged,
    )


@dataclass(frozen=True)
class _Fit:
    """`values`: (n_people,). `shares`: (n_labels,). `truths`: (n_units, n_labels), the probability
    that each label of a unit is right."""

    values: Array
    shares: Array
    truths: Array
    n_iterations: int
    has_converged: bool


def _near(n_labels: int, tolerance: int) -> Array:
    """Return (n_labels, n_labels): 1 where the row's label counts as right if the column's is."""
    if tolerance < 0 or 2 * tolerance + 1 >= n_labels:
        raise ValueError(f"a tolerance of {tolerance} on a scale of {n_labels} labels says nothing")
    steps = np.arange(n_labels)
    return np.asarray(np.abs(steps[:, None] - steps) <= tolerance, dtype=float)


def _fit(
    answers: Answers, times: Array, near: Array, compared: Array, fixed: tuple[Array, Array]
) -> _Fit:
    """Fit the model. `times`: (n_units,), how often each unit counts."""
    n_labels = len(near)
    shares = np.full(n_labels, 1 / n_labels)
    if not len(answers):
        values = np.divide(*fixed, out=np.full(len(fixed[0]), 0.5), where=fixed[1] > 0)
        return _Fit(values, shares, np.empty((0, n_labels)), 0, True)
    # For each rater and each possible label, (n_labels, n_people * n_labels).
    is_near = np.tile(near.T > 0, len(compared))
    cells = answers.rater_of * n_labels + answers.code_of
    share_of_unit = times / times.sum()
    truths = (answers.counts @ near).T
    truths /= truths.sum(axis=0)
    values = np.full(len(compared), 0.5)
    # The wrong labels share the rest.
    log_right, log_wrong = -np.log(near.sum(axis=0)), -np.log((1 - near).sum(axis=0))
    for number in range(1, LIMIT + 1):
        before = values
        counted = (truths * times).take(answers.unit_of, axis=1)
        sums = np.array([np.bincount(cells, own, is_near.shape[1]) for own in counted])
        right = (sums * is_near).sum(axis=0).reshape(-1, n_labels).sum(axis=1)
        values = np.clip(
            (right + fixed[0]) / np.maximum(compared + fixed[1], 1e-12), 1e-9, 1 - 1e-9
        )
        shares = truths @ share_of_unit
        log_value, log_rest = np.log(values).repeat(n_labels), np.log1p(-values).repeat(n_labels)
        of_cells = np.where(is_near, log_value + log_right[:, None], log_rest + log_wrong[:, None])
        likelihood = np.add.reduceat(of_cells.take(cells, axis=1), answers.starts, axis=1)
        likelihood += np.log(np.maximum(shares, 1e-300))[:, None]
        truths = np.exp(likelihood - likelihood.max(axis=0))
        truths /= truths.sum(axis=0)
        if np.abs(values - before).max() < TOLERANCE:
            return _Fit(values, shares, truths.T, number, True)
    return _Fit(values, shares, truths.T, LIMIT, False)


def _spread(
    answers: Answers, times: Array, near: Array, compared: Array, answered: Array, fitted: _Fit
) -> Array:
    """Return (n_people,): the standard error of each person's log-odds, NaN if undefined."""
    information = np.diag((compared + answered) * fitted.values * (1 - fitted.values))
    if len(answers):
        information = information - _missing(answers, times, near, len(compared), fitted.truths)
    if np.linalg.eigvalsh(information).min(initial=1) <= 1e-9:
        return np.full(len(compared), math.nan)
    return np.asarray(np.sqrt(np.diag(np.linalg.inv(information))))


def _missing(answers: Answers, times: Array, near: Array, n_people: int, truths: Array) -> Array:
    """Return (n_people, n_people): the covariance of the numbers of right answers, summed over the
    units, because the right labels are unknown."""
    total = np.zeros((n_people, n_people))
    step = max(1, MAXIMUM // n_people)
    of_answer = near[answers.code_of]
    for first in range(0, len(answers.units), step):
        rows = slice(*np.searchsorted(answers.unit_of, [first, first + step]))
        n_units = min(step, len(answers.units) - first)
        cells = (answers.unit_of[rows] - first) * n_people + answers.rater_of[rows]
        mean = np.zeros((n_units, n_people))
        counted = times[first : first + n_units, None]
        for label in range(len(near)):
            right = np.bincount(cells, of_answer[rows, label], minlength=n_units * n_people)
            right = right.reshape(n_units, n_people)
            weighted = truths[first : first + n_units, label, None] * right
            total += right.T @ (counted * weighted)
            mean += weighted
        total -= mean.T @ (counted * mean)
    return total


def _person(
    name: Hashable, n_known: float, compared: int, value: float, spread: float, chance: float
) -> Reliability:
    if not n_known and not compared:
        return Reliability(name, None, None, None, None, NOTHING, 0, 0)
    beyond = max(0.0, (float(value) - chance) / (1 - chance))
    if math.isnan(spread):
        return Reliability(name, float(value), None, None, beyond, FLAT, float(n_known), compared)
    center = math.log(value / (1 - value))
    # As a hyperbolic tangent, the logistic function can't overflow where all answers are right.
    low, high = ((1 + math.tanh((center + side * Z_95 * spread) / 2)) / 2 for side in (-1, 1))
    return Reliability(name, float(value), low, high, beyond, "", float(n_known), compared)
