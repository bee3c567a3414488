"""Intervals of the shares of labels, from resamples of the units: Dawid and Skene's model is fitted
to each of them again.

Units with the same answers of the same people have the same probabilities. So a resample is how
often each pattern of answers was drawn, and many resamples are fitted at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.agreement.labels import Label
from metrics.intervals import CELL_BATCH_SIZE, Array, percentile_interval
from metrics.reliability.answers import Answers, Patterns, read_answers
from metrics.reliability.confusion import DawidSkene, majority_of

VERSION = 1
N_BOOTSTRAP = 1000
# Cells of the matrices of all patterns, above which 1,000 fits would take minutes.
MAX_CELLS = 50_000
LIMIT = 200
TOLERANCE = 1e-6
TOO_MANY = "There are too many different answers to fit the model to resamples."


@dataclass(frozen=True)
class ShareIntervals:
    """The 95 % percentile intervals of the shares of each label of the scale, by the model and by
    majority: (low, high), or both None. Empty with a `reason`."""

    shares: Sequence[tuple[float | None, float | None]]
    majority: Sequence[tuple[float | None, float | None]]
    reason: str
    n_bootstrap: int
    seed: int


def share_intervals(
    labels: Sequence[Label],
    fitted: DawidSkene,
    *,
    n_bootstrap: int = N_BOOTSTRAP,
    seed: int = 0,
) -> ShareIntervals:
    """Return the intervals of `fitted`, the result of `dawid_skene` from these labels. Each fit
    begins with its probabilities, so that labels keep their meaning."""
    if fitted.reason:
        return ShareIntervals((), (), fitted.reason, n_bootstrap, seed)
    answers = read_answers(labels, fitted.scale)
    patterns = answers.patterns
    n_labels, n_units = len(fitted.scale), len(answers.units)
    width = len(answers.raters) * n_labels
    if len(patterns.first) * width * n_labels > MAX_CELLS:
        return ShareIntervals((), (), TOO_MANY, n_bootstrap, seed)
    given = answers_of(answers, patterns)
    truths = fitted.probabilities[patterns.first]
    majority = majority_of(fitted.votes[patterns.first])
    random = np.random.default_rng(seed)
    rows = max(1, CELL_BATCH_SIZE // (len(patterns.first) * n_labels + width))
    shares, by_majority = [], []
    for start in range(0, n_bootstrap, rows):
        drawn = random.multinomial(
            n_units, patterns.counts / n_units, min(rows, n_bootstrap - start)
        ).astype(float)
        # With few units, many resamples are equal.
        distinct, place = np.unique(drawn, axis=0, return_inverse=True)
        fits = fit_resamples(distinct, given, truths, fitted.imagined)
        shares.append(fits[place.reshape(-1)])
        by_majority.append(drawn @ majority / n_units)

    def intervals(parts: list[Array]) -> list[tuple[float | None, float | None]]:
        values = np.concatenate(parts)
        return [percentile_interval(column, n_units, n_bootstrap)[:2] for column in values.T]

    return ShareIntervals(intervals(shares), intervals(by_majority), "", n_bootstrap, seed)


def answers_of(answers: Answers, patterns: Patterns) -> Array:
    """Return (n_patterns, n_raters * n_labels): how often each rater gave each label."""
    own = answers.only(patterns.first)
    width = len(own.raters) * own.n_labels
    cells = own.unit_of * width + own.rater_of * own.n_labels + own.code_of
    counts = np.bincount(cells, minlength=len(own.units) * width).reshape(-1, width)
    return np.asarray(counts, dtype=float)


def fit_resamples(drawn: Array, given: Array, probabilities: Array, imagined: float) -> Array:
    """Return (rows, n_labels): the shares in each resample. `drawn`: (rows, n_patterns). `given`:
    as from `answers_of`. `probabilities`: (n_patterns, n_labels), where each fit begins."""
    n_labels = probabilities.shape[1]
    n_units = drawn.sum(axis=1)[:, None]
    truths = np.repeat(probabilities[None], len(drawn), axis=0)
    change, n_iterations = 1.0, 0
    while change >= TOLERANCE and n_iterations < LIMIT:
        n_iterations += 1
        weighted = drawn[:, :, None] * truths
        shares = weighted.sum(axis=1) / n_units
        sums = (weighted.transpose(0, 2, 1) @ given).reshape(
            len(drawn), n_labels, -1, n_labels
        ) + imagined / n_labels
        totals = sums.sum(axis=3, keepdims=True)
        matrices = np.divide(sums, totals, out=np.full_like(sums, 1 / n_labels), where=totals > 0)
        with np.errstate(divide="ignore"):
            of_answers = np.maximum(np.log(matrices), -700).reshape(len(drawn), n_labels, -1)
            of_shares = np.maximum(np.log(shares), -700)
        logarithms = (of_answers @ given.T).transpose(0, 2, 1) + of_shares[:, None]
        odds = np.exp(logarithms - logarithms.max(axis=2, keepdims=True))
        before, truths = truths, odds / odds.sum(axis=2, keepdims=True)
        change = float(np.abs(truths - before).max())
    fitted_shares: Array = (drawn[:, :, None] * truths).sum(axis=1) / n_units
    return fitted_shares
