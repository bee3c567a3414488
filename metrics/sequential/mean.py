"""A confidence sequence for the mean of answers on a bounded scale, by betting.

Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal of the
Royal Statistical Society B 86 (2024). For each candidate m of the mean, two gamblers bet, one that
answers are higher than m and one that they are lower. If m is the mean, neither can expect to win,
so by Ville's inequality their mean capital ever reaches 1 / alpha with a probability of at most
alpha. The candidates whose capital never did are the interval (hedged capital, equation 26). The
bets are their predictable plug-in (equation 27), bounded by half of what could be lost.

With a population of N units that are drawn without replacement, the t-th answer has the expectation
(N m - sum of the answers before) / (N - t + 1), which takes the place of m (section 5.2). When all
units are known, the interval has no width left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.intervals import CELL_BATCH_SIZE, Array

VERSION = 1
# Candidates of the mean between the ends of the scale; the interval is widened by one on each side.
CANDIDATES = 1001
# The share of what could be lost that a bet may risk.
MAX_RISKED = 0.5
# A gambler's belief before the first answer: one answer in the middle of the scale with the
# variance of a fair coin.
FIRST_MEAN, FIRST_VARIANCE = 0.5, 0.25


@dataclass(frozen=True)
class MeanSequence:
    """The mean and its interval after each number of units in `after`. All intervals hold together
    with the probability `confidence`. `population`: the number of units, None if unlimited.
    `reason`: why there is no interval, or "".
    """

    after: tuple[int, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    reason: str
    population: int | None
    confidence: float
    scale: tuple[float, float]
    method: str = "betting"
    version: int = VERSION


def mean_sequence(
    values: ArrayLike,
    scale: tuple[float, float] = (0.0, 1.0),
    *,
    population: int | None = None,
    confidence: float = 0.95,
    after: Sequence[int] | None = None,
) -> MeanSequence:
    """Return the interval of the mean after each of the numbers of units in `after` (every one).

    `values`: (n,), one answer per unit in the order in which they came, on `scale`. The order must
    not depend on the answers. Raises ValueError for answers outside the scale or more than the
    `population`, a `confidence` outside 0 to 1, and an `after` that doesn't rise from 1 to n.
    """
    answers, least, size = _checked(values, scale, population, confidence)
    stops = list(range(1, len(answers) + 1)) if after is None else list(after)
    if stops != sorted(set(stops)) or (stops and not 1 <= stops[0] <= stops[-1] <= len(answers)):
        raise ValueError(f"look after 1 to {len(answers)} units, in rising order")
    candidates = np.linspace(0, 1, CANDIDATES)
    is_kept = np.ones(CANDIDATES, dtype=bool)
    means = np.cumsum(answers) / np.arange(1, len(answers) + 1)
    lows, highs, reason = [], [], ""
    stop_numbers = set(stops)
    limit = log(1 / (1 - confidence))
    for first, capital in log_capital(answers, candidates, population, confidence):
        rejected = np.logical_or.accumulate(capital >= limit, axis=0)
        for row in range(len(capital)):
            if first + row + 1 in stop_numbers:
                low, high = _ends(candidates, is_kept & ~rejected[row], step=1 / (CANDIDATES - 1))
                if low > high:
                    reason = (
                        "No mean is left that fits the order of the answers: later answers are too "
                        "different from earlier ones."
                    )
                    low = high = float(means[first + row])
                lows.append(least + size * low)
                highs.append(least + size * high)
        is_kept &= ~rejected[-1]
    return MeanSequence(
        after=tuple(stops),
        mean=tuple(float(least + size * means[stop - 1]) for stop in stops),
        low=tuple(lows),
        high=tuple(highs),
        reason=reason,
        population=population,
        confidence=confidence,
        scale=(float(scale[0]), float(scale[1])),
    )


def log_capital(
    answers: Array, candidates: Array, population: int | None, confidence: float
) -> Iterator[tuple[int, Array]]:
    """Yield (place of the first answer, (answers, candidates) natural logarithms of the capital
    after each answer), in blocks. `answers` and `candidates` are shares from 0 to 1. A candidate
    that the answers so far rule out has the capital infinity.
    """
    n, bets = len(answers), _bets(answers, confidence)
    before = np.cumsum(answers) - answers
    carried = np.zeros((2, len(candidates)))
    rows = max(1, CELL_BATCH_SIZE // len(candidates))
    for first in range(0, n, rows):
        here = slice(first, min(first + rows, n))
        expected, is_possible = _expected(
            candidates, before[here], answers[here], first, population
        )
        difference = answers[here, None] - expected
        bet = bets[here, None]
        with np.errstate(divide="ignore"):
            up = np.minimum(bet, MAX_RISKED / expected)
            down = np.minimum(bet, MAX_RISKED / (1 - expected))
        capital = np.stack([np.log1p(up * difference), np.log1p(-down * difference)])
        capital = np.cumsum(capital, axis=1) + carried[:, None]
        carried = capital[:, -1]
        hedged = capital.max(axis=0) - log(2)
        yield first, np.where(is_possible, hedged, np.inf)


def _bets(answers: Array, confidence: float) -> Array:
    """Return the size of each bet, from the answers before it alone."""
    numbers = np.arange(1, len(answers) + 1)
    means = (FIRST_MEAN + np.cumsum(answers)) / (numbers + 1)
    spread = (FIRST_VARIANCE + np.cumsum((answers - means) ** 2)) / (numbers + 1)
    variances = np.concatenate([[FIRST_VARIANCE], spread[:-1]])[: len(answers)]
    bets: Array = np.sqrt(2 * log(2 / (1 - confidence)) / (variances * numbers * np.log1p(numbers)))
    return bets


def _expected(
    candidates: Array, before: Array, answers: Array, first: int, population: int | None
) -> tuple[Array, NDArray[np.bool_]]:
    """Return (answers, candidates): what each answer is expected to be if the candidate is the mean
    of the population, and whether it still can be, to a step between candidates.
    """
    shape = len(before), len(candidates)
    if population is None:
        return np.broadcast_to(candidates, shape), np.ones(shape, dtype=bool)
    left = population - first - np.arange(len(before))[:, None]
    rest = population * candidates - before[:, None]
    step = population / (CANDIDATES - 1)
    after = rest - answers[:, None]
    return np.clip(rest / left, 0, 1), (after >= -step) & (after <= left - 1 + step)


def _ends(candidates: Array, is_kept: NDArray[np.bool_], step: float) -> tuple[float, float]:
    places = np.flatnonzero(is_kept)
    if not len(places):
        return 1.0, 0.0
    low, high = candidates[places[0]] - step, candidates[places[-1]] + step
    return max(0.0, float(low)), min(1.0, float(high))


def _checked(
    values: ArrayLike, scale: tuple[float, float], population: int | None, confidence: float
) -> tuple[Array, float, float]:
    least, most = scale
    if not least < most:
        raise ValueError(f"the scale from {least} to {most} has no length")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}; it lies between 0 and 1")
    answers = (np.asarray(values, dtype=float) - least) / (most - least)
    if answers.ndim != 1 or not ((answers >= 0) & (answers <= 1)).all():
        raise ValueError(f"give one answer per unit, from {least} to {most}")
    if population is not None and population < len(answers):
        raise ValueError(f"{len(answers)} units can't come from a population of {population}")
    return answers, float(least), float(most - least)
