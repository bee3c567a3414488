"""The interval of a threshold that is the best split of the captions (change_point, youden).

It spans two intervals, because each alone fails in a case that the other covers:

- The splits that a test doesn't reject, each tested as if errors jumped there, as Worsley (1986),
  Siegmund (1988) and Hansen (2000) do with likelihood ratios. If errors jump at a split, the
  captions on each side are exchangeable, so every order of the errors within a side is equally
  probable, whatever their distribution. Permutations therefore give the distribution of the
  statistic.
- The middle 90 % (youden: 80 %) of the thresholds of resampled captions. It is too narrow around a
  jump (Seijo and Sen 2011), and the test is too narrow where errors fall gradually.

`bench/threshold_coverage.py` measures both cases.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.intervals import CELLS_AT_ONCE, LEAST_SHARE_DEFINED, Array
from metrics.threshold.rules import LEAST_A_SIDE, ROUNDING

# Each part has a level below 95 %, so that both together cover 95 %. Chosen among 90, 93 and 95 %
# for the test and 80, 90 and 95 % for the resamples, on studies other than those of
# bench/threshold_coverage.py.
CONFIDENCE = 0.92
TAILS = {"change_point": 5, "youden": 10}
# With 199, the 16 greatest values of 200, the observed one among them, are exactly 8 %.
N_PERMUTATIONS = 199
# How many splits are tested at once, and how often the grid of tested splits is refined.
TESTED, TIMES = 9, 2

Counts = NDArray[np.signedinteger]
Gain = Callable[[Array], Array]


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
    n_permutations: int,
    n_bootstrap: int,
    seed: int,
    looks: int = 1,
) -> SplitInterval:
    """Return the interval of the `threshold` that `rule` gives for (n,) scores and errors.

    The test's statistic is the gain of the best split over the tested one, by the rule's criterion:
    explained squared error for change_point, sensitivity plus specificity for youden. Ties of the
    statistic count half. Between tested splits the critical value is interpolated. With several
    `looks`, each part misses with its probability over their number (Bonferroni), so that the
    intervals of all looks hold together. `weights` belong to the captions' places: an order of the
    errors within a side leaves them where they are.
    """
    if not n_permutations or not n_bootstrap:
        why = "No permutations or no resamples were asked for, so there is no interval."
        return SplitInterval(None, None, why, 0)
    order = np.argsort(values, kind="stable")
    x, y, w = values[order], counts[order], weights[order]
    if rule == "youden":
        y = (y > 0).astype(float)
    splits = _splits(x, 1 if rule == "youden" else LEAST_A_SIDE)
    if len(splits) < 2:
        why = "Only one threshold divides the captions, so there is no interval."
        return SplitInterval(None, None, why, 0)
    resampled = _resampled(x, y, w, rule, splits, n_bootstrap, seed)
    if len(resampled) < LEAST_SHARE_DEFINED * n_bootstrap:
        return SplitInterval(None, None, "", len(resampled))
    gain = _gain(rule, splits, w)
    observed = gain(np.cumsum(w * y)[None])[0]
    best = int(np.searchsorted(splits, (x < threshold).sum()))
    loss = observed.max() - observed
    critical = _critical_values(y, w, splits, gain, n_permutations, seed, looks)
    tested: dict[int, float] = {}
    ends = (0, len(splits) - 1)
    places = {*_spread(*ends), best}
    for _ in range(TIMES + 1):
        tested |= {place: critical(place) for place in places - tested.keys()}
        keys = sorted(tested)
        limit = np.interp(np.arange(len(splits)), keys, [tested[key] for key in keys])
        kept = np.flatnonzero(loss <= limit + ROUNDING * (limit + observed.max()))
        ends = (min(best, *kept), max(best, *kept))
        places = set(_spread(max(0, ends[0] - 2), min(len(splits) - 1, ends[1] + 2)))
    tail = TAILS[rule] / looks
    low, high = np.percentile(resampled, (tail, 100 - tail))
    return SplitInterval(
        min(float(x[splits[ends[0]] - 1]), float(low)),
        max(float(x[splits[ends[1]]]), float(high)),
        "",
        len(resampled),
    )


def _resampled(
    x: Array, y: Array, w: Array, rule: str, splits: Counts, n_bootstrap: int, seed: int
) -> Array:
    """Return the thresholds of the resamples of captions for which the rule gives one."""
    n, random, thresholds = len(x), np.random.default_rng(seed), []
    middles = x[splits - 1] / 2 + x[splits] / 2
    rows = max(1, CELLS_AT_ONCE // n)
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
            is_small = (count < LEAST_A_SIDE) | (n - count < LEAST_A_SIDE)
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


def _spread(first: int, last: int) -> list[int]:
    return [int(place) for place in np.linspace(first, last, TESTED)]


def _gain(rule: str, splits: Counts, w: Array) -> Gain:
    """Return the function from (rows, n) cumulative sums of the weighted errors by score to (rows,
    splits) gains, as in `rules`.
    """
    weight = np.cumsum(w)
    below, total = weight[splits - 1], weight[-1]

    def youden(sums: Array) -> Array:
        gains: Array = sums[:, splits - 1] * total - below * sums[:, -1:]
        return gains

    def change_point(sums: Array) -> Array:
        fall: Array = np.maximum(youden(sums), 0)
        fall *= fall
        fall /= below * (total - below)
        return fall

    return youden if rule == "youden" else change_point


def _critical_values(
    y: Array, w: Array, splits: Counts, gain: Gain, n_permutations: int, seed: int, looks: int
) -> Callable[[int], float]:
    """Return the function from a split's position to the greatest loss that the test
    accepts there.
    """
    n = len(y)
    rows = np.broadcast_to(np.arange(n, dtype=np.int32), (n_permutations, n))
    order = np.random.default_rng(seed).permuted(rows, axis=1)
    errors = y[order]

    def critical(place: int) -> float:
        # A random order of all captions is also a random order of each side.
        below = order < splits[place]
        within = np.empty_like(errors)
        within[:, : splits[place]] = errors[below].reshape(n_permutations, -1)
        within[:, splits[place] :] = errors[~below].reshape(n_permutations, -1)
        gains = gain(np.cumsum(within * w, axis=1))
        best = gains.max(axis=1)
        return _limit(
            best - gains[:, place], ROUNDING * float(best.max()), (1 - CONFIDENCE) / looks
        )

    return critical


def _limit(losses: Array, rounding: float, error: float) -> float:
    """Return the greatest loss whose p-value, with ties counted half, is above `error`."""
    losses = np.sort(losses)
    n = len(losses) + 1
    limit = losses[min(ceil((1 - error) * n), len(losses)) - 1]
    above, equal = (losses > limit + rounding).sum(), (abs(losses - limit) <= rounding).sum()
    if (above + equal / 2 + 0.5) / n > error:
        return float(limit)
    lower = losses[losses < limit - rounding]
    return float((limit + lower[-1]) / 2 if len(lower) else limit)
