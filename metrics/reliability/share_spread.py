"""Intervals of the shares of labels, from resamples of the units: Dawid and Skene's model is fitted
to each of them again.

Units with the same answers of the same people have the same probabilities. So a resample is how
often each pattern of answers was drawn, and many resamples are fitted at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.agreement.labels import Codes, Label
from metrics.intervals import CELLS_AT_ONCE, Array, percentile_interval
from metrics.reliability.answers import Answers, read_answers
from metrics.reliability.confusion import DawidSkene, majority_of

VERSION = 1
N_BOOTSTRAP = 1000
# Cells of the matrices of all patterns above which 1,000 fits would take a worker minutes.
MOST_CELLS = 50_000
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
    patterns = patterns_of(answers)
    n_labels, n_units = len(fitted.scale), len(answers.units)
    if patterns.answers.size * n_labels > MOST_CELLS:
        return ShareIntervals((), (), TOO_MANY, n_bootstrap, seed)
    majority = majority_of(fitted.votes[patterns.first])
    random = np.random.default_rng(seed)
    rows = max(1, CELLS_AT_ONCE // (len(patterns.first) * n_labels + patterns.answers.shape[1]))
    shares, by_majority = [], []
    for start in range(0, n_bootstrap, rows):
        drawn = random.multinomial(
            n_units, patterns.counts / n_units, min(rows, n_bootstrap - start)
        ).astype(float)
        shares.append(fit_resamples(drawn, patterns, fitted))
        by_majority.append(drawn @ majority / n_units)

    def intervals(parts: list[Array]) -> list[tuple[float | None, float | None]]:
        values = np.concatenate(parts)
        return [percentile_interval(column, n_units, n_bootstrap)[:2] for column in values.T]

    return ShareIntervals(intervals(shares), intervals(by_majority), "", n_bootstrap, seed)


@dataclass(frozen=True)
class Patterns:
    """`first`: a unit of each pattern; `counts`: how many units have it. `answers`: (n_patterns,
    n_raters * n_labels), how often each rater gave each label."""

    first: Codes
    counts: Array
    answers: Array


def patterns_of(answers: Answers) -> Patterns:
    cells = answers.rater_of * answers.n_labels + answers.code_of
    ends = [*answers.starts[1:], len(cells)]
    seen: dict[tuple[int, ...], int] = {}
    first: list[int] = []
    counts: list[float] = []
    for unit, (start, end) in enumerate(zip(answers.starts, ends, strict=True)):
        pattern = tuple(sorted(cells[start:end].tolist()))
        place = seen.setdefault(pattern, len(seen))
        if place == len(first):
            first.append(unit)
            counts.append(0.0)
        counts[place] += 1
    table = np.zeros((len(seen), len(answers.raters) * answers.n_labels))
    for pattern, place in seen.items():
        np.add.at(table[place], np.array(pattern), 1)
    return Patterns(np.array(first), np.array(counts), table)


def fit_resamples(drawn: Array, patterns: Patterns, fitted: DawidSkene) -> Array:
    """Return (rows, n_labels): the shares in each resample. `drawn`: (rows, n_patterns)."""
    n_labels = len(fitted.scale)
    n_units = drawn.sum(axis=1)[:, None]
    truths = np.repeat(fitted.probabilities[patterns.first][None], len(drawn), axis=0)
    change, n_iterations = 1.0, 0
    while change >= TOLERANCE and n_iterations < LIMIT:
        n_iterations += 1
        weighted = drawn[:, :, None] * truths
        shares = weighted.sum(axis=1) / n_units
        sums = (weighted.transpose(0, 2, 1) @ patterns.answers).reshape(
            len(drawn), n_labels, -1, n_labels
        ) + fitted.imagined / n_labels
        totals = sums.sum(axis=3, keepdims=True)
        matrices = np.divide(sums, totals, out=np.full_like(sums, 1 / n_labels), where=totals > 0)
        with np.errstate(divide="ignore"):
            of_answers = np.maximum(np.log(matrices), -700).reshape(len(drawn), n_labels, -1)
            of_shares = np.maximum(np.log(shares), -700)
        logarithms = (of_answers @ patterns.answers.T).transpose(0, 2, 1) + of_shares[:, None]
        odds = np.exp(logarithms - logarithms.max(axis=2, keepdims=True))
        before, truths = truths, odds / odds.sum(axis=2, keepdims=True)
        change = float(np.abs(truths - before).max())
    fitted_shares: Array = (drawn[:, :, None] * truths).sum(axis=1) / n_units
    return fitted_shares
