"""Which captions to judge next: near an uncertain threshold, or where errors are expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from metrics.design.drawing import VERSION, draw_weights
from metrics.intervals import Array
from metrics.student_t import bound_95

# The part of the interval's width by which the range of interest is wider on each side.
MARGIN = 0.25
# An interval that covers a larger share of the captions says too little about where to ask, and
# unequal weights would cost more than they bring (bench/RESULTS.md).
MAX_COVERED = 0.25
MIN_FOR_INTERVAL = 2


def caption_scores(scores: ArrayLike, low: float, high: float) -> Array:
    """Return how much each caption can tell about a threshold whose interval is `low` to `high`.

    As if the threshold were uniform in the interval, widened by a quarter on each side: 4 F (1 - F)
    with F the probability that it is below the caption's score; 0 outside, and everywhere if the
    interval covers more than a quarter of the captions. Drawing the second part
    of a sample around the estimate of the first one locates a jump far better than an even sample
    (Lan, Banerjee and Michailidis, "Change-point estimation under adaptive sampling", Annals of
    Statistics 37, 2009). Raises ValueError if `high` is below `low`.
    """
    values = np.asarray(scores, dtype=float)
    if high < low:
        raise ValueError(f"the interval from {low} to {high} has its ends the wrong way round")
    if ((values >= low) & (values <= high)).mean() > MAX_COVERED:
        return np.zeros(len(values))
    margin = MARGIN * (high - low)
    start, length = low - margin, high - low + 2 * margin
    if not length:
        return np.zeros(len(values))
    below = np.clip((values - start) / length, 0, 1)
    weights: Array = 4 * below * (1 - below)
    return weights


@dataclass(frozen=True)
class WeightedMean:
    """The mean of a population, estimated from draws with unequal probabilities. `low`, `high`: its
    95 % interval for a number of draws that was set in advance; None with fewer than two.
    """

    mean: float | None
    low: float | None
    high: float | None
    reason: str
    n: int
    population: int
    version: int = VERSION


def weighted_mean(
    values: Sequence[float], probabilities: Sequence[float], population: int
) -> WeightedMean:
    """Estimate the mean of a population of units that were drawn without replacement.

    `values`, `probabilities`: (n,), in the order of drawing, as for `draw_weights`. Each draw gives
    an unbiased estimate, the mean of the values already drawn and of this one over its probability,
    and these estimates are uncorrelated (Des Raj, Journal of the American Statistical Association
    51, 1956), which gives the standard error of their mean.
    """
    answers, n = np.asarray(values, dtype=float), len(values)
    if not n:
        return WeightedMean(None, None, None, "Nothing is judged yet.", 0, population)
    weights = draw_weights(probabilities, population)
    mean = float((weights * answers).mean())
    if n == population:
        return WeightedMean(mean, mean, mean, "", n, population)
    if n < MIN_FOR_INTERVAL:
        reason = "One unit says nothing about the others, so there is no interval."
        return WeightedMean(mean, None, None, reason, n, population)
    before = np.cumsum(answers) - answers
    estimates = (before + answers / np.asarray(probabilities)) / population
    number = np.arange(1, n + 1)
    shares = population * (population - n) / ((population - number) * (population - number + 1))
    error = sqrt(float((shares**2 * (estimates - mean) ** 2).sum()) / (n * (n - 1)))
    half = bound_95(n - 1) * error
    return WeightedMean(mean, mean - half, mean + half, "", n, population)
