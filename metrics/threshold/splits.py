"""The interval of a threshold that is the best split of the captions (change_point, youden).

It is to hold the best split of the population by the same rule. It spans two intervals, because
each alone fails in a case that the other covers:

- The middle of the best splits of populations that `metrics.threshold.steps` draws. It holds if
  errors fall in one or several steps, but is too narrow where they fall gradually.
- The middle of the thresholds of resampled captions. It is too narrow around a jump (Seijo and Sen
  2011).

`bench/threshold_coverage.py` measures both cases.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.intervals import CELL_BATCH_SIZE, MIN_SHARE_DEFINED, Array
from metrics.threshold.rules import MIN_PER_SIDE, ROUNDING
from metrics.threshold.steps import draw_best_splits

# The percentage that is left out on each side; chosen so that in simulations both together cover at
# least 92 % in several steps and gradual falls (docs/metrics.md).
STEPS_TAIL, RESAMPLES_TAIL = 2.0, 5.0

Counts = NDArray[np.signedinteger]


class SplitInterval(NamedTuple):
    """`low` and `high` are None if there is no interval, and `reason` says why, or is "" if too few
    resamples have a threshold; `n_defined` is how many have one.
    """

    low: float | None
    high: float | None
    reason: str
    n_defined: int


def split_interval(
    values: Array,
    counts: Array,
    rule: str,
    threshold: float,
    weights: Array,
    *,
    n_bootstrap: int,
    seed: int,
    looks: int = 1,
) -> SplitInterval:
    """Return the interval of the `threshold` that `rule` gives for (n,) scores and errors, from
    `n_bootstrap` resamples and as many draws of steps.

    With several `looks`, each part misses with its probability over their number (Bonferroni), so
    that the intervals of all looks hold together.
    """
    if not n_bootstrap:
        why = "No resamples were asked for, so there is no interval."
        return SplitInterval(None, None, why, 0)
    order = np.argsort(values, kind="stable")
    x, y, w = values[order], counts[order], weights[order]
    if rule == "youden":
        y = (y > 0).astype(float)
    splits = _splits(x, 1 if rule == "youden" else MIN_PER_SIDE)
    if len(splits) < 2:
        why = "Only one threshold divides the captions, so there is no interval."
        return SplitInterval(None, None, why, 0)
    resampled = _resampled(x, y, w, rule, splits, n_bootstrap, seed)
    if len(resampled) < MIN_SHARE_DEFINED * n_bootstrap:
        return SplitInterval(None, None, "", len(resampled))
    drawn = draw_best_splits(x, y, w, rule, splits, n_bootstrap, seed)
    if drawn.shape[1] < MIN_SHARE_DEFINED * n_bootstrap:
        why = "Errors hardly fall as the score rises, so there is no interval."
        return SplitInterval(None, None, why, len(resampled))
    low, high = np.percentile(resampled, _percentages(RESAMPLES_TAIL, looks))
    first, last = (
        int(np.percentile(ends, percentage, method="inverted_cdf"))
        for ends, percentage in zip(drawn, _percentages(STEPS_TAIL, looks), strict=True)
    )
    return SplitInterval(
        float(min(x[first - 1], low, threshold)),
        float(max(x[last], high, threshold)),
        "",
        len(resampled),
    )


def _percentages(tail: float, looks: int) -> tuple[float, float]:
    return tail / looks, 100 - tail / looks


def _resampled(
    x: Array, y: Array, w: Array, rule: str, splits: Counts, n_bootstrap: int, seed: int
) -> Array:
    """Return the thresholds of the resamples of captions for which the rule gives one."""
    n, random, thresholds = len(x), np.random.default_rng(seed), []
    middles = x[splits - 1] / 2 + x[splits] / 2
    rows = max(1, CELL_BATCH_SIZE // n)
    for start in range(0, n_bootstrap, rows):
        drawn = random.integers(0, n, (min(rows, n_bootstrap - start), n))
        drawn += np.arange(len(drawn))[:, None] * n
        times = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
        weight = np.cumsum(times * w, axis=1)
        below, total = weight[:, splits - 1], weight[:, -1:]
        sums = np.cumsum(times * (w * y), axis=1)
        gains = sums[:, splits - 1] * total - below * sums[:, -1:]
        if rule == "change_point":
            gains = np.maximum(gains, 0) ** 2
            count = np.cumsum(times, axis=1)[:, splits - 1]
            is_small = (count < MIN_PER_SIDE) | (n - count < MIN_PER_SIDE)
            gains /= np.where(is_small, np.inf, below * (total - below))
        best = gains.max(axis=1)
        places = (gains >= best[:, None] * (1 - ROUNDING)).argmax(axis=1)
        thresholds.append(middles[places][best > ROUNDING])
    return np.concatenate(thresholds)


def _splits(x: Array, least: int) -> Counts:
    """Return the possible numbers of captions below a threshold, which never separates equal
    scores.
    """
    below = np.arange(least, len(x) - least + 1)
    return below[x[below - 1] < x[below]]
