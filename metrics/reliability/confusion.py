"""The right label of each unit, and each person's answers given it.

Dawid and Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm",
Applied Statistics 28 (1979): the right label of a unit is unknown, and each person has a matrix of
the probabilities of each label given each right one. So people who overlook errors, or see too
many, are corrected for, which a majority can't do.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.agreement.labels import Codes, Label
from metrics.intervals import Array
from metrics.reliability.answers import Answers, normalized, read_answers

VERSION = 1
# Imagined answers of each person for each right label, spread over all labels equally.
IMAGINED = 1.0
LIMIT = 1000
TOLERANCE = 1e-9
NONE = "There are no labels yet."
ALONE = "No two people have labeled the same thing, so nothing says who is right."


@dataclass(frozen=True)
class DawidSkene:
    """`units` with the probability of each label, (n_units, n_labels), and the share of people who
    gave it. `shares`: the share of units with each label as the right one; `majority_shares`: the
    same by majority, where equal labels share a unit. `matrices[rater][right][given]`: the
    probability that the rater gives a label. All are empty with a `reason`.
    """

    scale: tuple[Hashable, ...]
    units: tuple[Hashable, ...]
    probabilities: Array
    votes: Array
    shares: tuple[float, ...]
    majority_shares: tuple[float, ...]
    raters: tuple[Hashable, ...]
    matrices: Array
    reason: str
    n_labels: int
    imagined: float
    n_iterations: int
    has_converged: bool
    version: int = VERSION

    @property
    def consensus(self) -> Codes:
        """(n_units,): the most probable label of each unit; the first on the scale of equals."""
        return _first_highest(self.probabilities)

    @property
    def majority(self) -> Codes:
        """(n_units,): the label of most people; -1 where several have as many."""
        highest = self.votes.max(axis=1, keepdims=True) if len(self.votes) else self.votes
        is_tied = (self.votes >= highest - 1e-12).sum(axis=1) > 1
        return (
            np.where(is_tied, -1, _first_highest(self.votes)) if len(self.votes) else self.consensus
        )


def dawid_skene(
    labels: Sequence[Label], scale: Sequence[Hashable], *, imagined: float = IMAGINED
) -> DawidSkene:
    """Estimate the right label of each unit from (rater, unit, label) rows.

    `imagined`: answers that are added to each row of each matrix; 0 is the published method, by
    which a label that somebody never gave is impossible for them. It begins from the shares of
    people, so that the labels keep their meaning. Raises ValueError as `read_answers` does.
    """
    answers = read_answers(labels, scale)
    reason = NONE if not len(answers) else ""
    if not reason and len(answers.units) == len(answers):
        reason = ALONE
    if reason:
        empty = np.empty((0, len(scale)))
        return DawidSkene(
            tuple(scale), (), empty, empty, (), (), (), np.empty((0, len(scale), len(scale))),
            reason, len(answers), imagined, 0, True,
        )  # fmt: skip
    votes = answers.counts
    votes /= votes.sum(axis=1, keepdims=True)
    truths, change, n_iterations = votes, 1.0, 0
    while change >= TOLERANCE and n_iterations < LIMIT:
        n_iterations += 1
        shares = truths.mean(axis=0)
        matrices = _matrices(answers, truths, imagined)
        before, truths = truths, _truths(answers, shares, matrices)
        change = float(np.abs(truths - before).max())
    return DawidSkene(
        scale=tuple(scale),
        units=answers.units,
        probabilities=truths,
        votes=votes,
        shares=tuple(truths.mean(axis=0).tolist()),
        majority_shares=_majority_shares(votes),
        raters=answers.raters,
        matrices=_matrices(answers, truths, imagined),
        reason="",
        n_labels=len(answers),
        imagined=imagined,
        n_iterations=n_iterations,
        has_converged=change < TOLERANCE,
    )


def majority_shares(labels: Sequence[Label], scale: Sequence[Hashable]) -> tuple[float, ...]:
    """Return the share of units with each label of the scale by majority; labels that as many
    people gave share a unit. Empty without labels. Raises ValueError as `read_answers` does.
    """
    answers = read_answers(labels, scale)
    return _majority_shares(answers.counts) if len(answers) else ()


def majority_of(votes: Array) -> Array:
    """Return (n_units, n_labels): 1 for the label of most people; labels of as many share it."""
    is_highest = votes >= votes.max(axis=1, keepdims=True) - 1e-12
    of_units: Array = is_highest / is_highest.sum(axis=1, keepdims=True)
    return of_units


def _majority_shares(votes: Array) -> tuple[float, ...]:
    return tuple(majority_of(votes).mean(axis=0).tolist())


def _matrices(answers: Answers, truths: Array, imagined: float) -> Array:
    """Return (n_raters, n_labels, n_labels): given the right label, the share of each label."""
    n, n_raters = answers.n_labels, len(answers.raters)
    cells = answers.rater_of * n + answers.code_of
    of_answer = truths.take(answers.unit_of, axis=0)
    sums = np.stack(
        [np.bincount(cells, of_answer[:, right], n_raters * n) for right in range(n)], axis=1
    )
    counts = sums.reshape(n_raters, n, n).transpose(0, 2, 1) + imagined / n
    totals = counts.sum(axis=2, keepdims=True)
    # A person who never met a right label could give any label for it.
    shares: Array = np.divide(counts, totals, out=np.full_like(counts, 1 / n), where=totals > 0)
    return shares


def _truths(answers: Answers, shares: Array, matrices: Array) -> Array:
    with np.errstate(divide="ignore"):
        logarithms = np.maximum(np.log(matrices), -700)
        of_shares = np.maximum(np.log(shares), -700)
    of_answer = logarithms[answers.rater_of, :, answers.code_of]
    return normalized(answers.per_unit(of_answer) + of_shares)


def _first_highest(rows: Array) -> Codes:
    return np.asarray(rows.argmax(axis=1) if len(rows) else np.empty(0), dtype=np.int64)
