"""Estimates a threshold by one of the rules, with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.intervals import MIN_SHARE_DEFINED, PERCENTILES, Array
from metrics.threshold.rules import NOT_FOUND, RULES, Find, finder, no_answer
from metrics.threshold.splits import split_interval
from metrics.threshold.study import checked, checked_weights

VERSION = 6


class Made(TypedDict):
    """The fields of an estimate that are known before the computation."""

    rule: str
    n_captions: int
    seed: int
    target: float | None
    interval: str
    n_bootstrap: int
    looks: int
    is_weighted: bool


@dataclass(frozen=True)
class ThresholdEstimate:
    """A threshold with its 95 % interval, in the scores' unit; all three or the interval alone are
    None if there is no answer, and `reason` says why.

    A caption is kept if its score is at or above the threshold. `level_below` and `level_above`:
    mean errors per caption on either side. `explained`: share of the errors' variance that the two
    levels explain, 0 to 1. `interval`: its method. `n_defined`: resamples with an answer. `looks`:
    the number of intervals that hold together. `is_weighted`: whether captions have unequal
    weights.
    """

    threshold: float | None
    low: float | None
    high: float | None
    reason: str
    rule: str
    n_captions: int
    n_bootstrap: int
    n_defined: int
    seed: int
    target: float | None
    level_below: float | None
    level_above: float | None
    explained: float | None
    interval: str
    looks: int = 1
    is_weighted: bool = False
    version: int = VERSION


def estimate_threshold(
    scores: ArrayLike,
    errors: ArrayLike,
    rule: str = "change_point",
    n_bootstrap: int = 1000,
    seed: int = 0,
    *,
    target: float = 0.1,
    weights: ArrayLike | None = None,
    looks: int = 1,
) -> ThresholdEstimate:
    """Estimate the score from which captions are good enough.

    `scores`: (n,), one per caption. `errors`: (n,), at least 0, a count or a mean of several
    people's counts. Rules:

    - change_point: errors have one level below the threshold and a lower one above it; the split
      with the least squared error, halfway between two neighboring scores.
    - youden: the score as a detector of "has an error"; the value with the greatest sensitivity
      plus specificity.
    - target_error_rate: the lowest value at which at least 5 captions are kept and at most the
      share `target` of them has an error.

    The interval of change_point and youden is to hold the best split of the population; it spans
    that of models with several steps and that of resampled captions (`metrics.threshold.splits`).
    That of target_error_rate is the 2.5th to 97.5th percentile over resamples. There are
    `n_bootstrap` resamples, of captions, never of annotators, and as many draws of steps. Equal
    scores are never split; among equally good values the lowest is chosen, which keeps the most
    captions.

    `weights`: (n,), above 0, the inverse of the probability with which each caption was drawn; None
    if all are equal. `looks`: at how many planned numbers of captions somebody looks at the
    interval and may stop; the intervals of all looks hold together. Raises ValueError for unequal
    lengths, negative errors, numbers that are not finite, an unknown rule, a target outside 0 to
    below 1, a negative `n_bootstrap`, and fewer than one look.
    """
    if rule not in RULES:
        raise ValueError(f"rule is {rule!r}; choose from {', '.join(RULES)}")
    if not 0 <= target < 1:
        raise ValueError(f"target is {target}; it is a share from 0 to below 1")
    if n_bootstrap < 0:
        raise ValueError(f"n_bootstrap is {n_bootstrap}; it can't be negative")
    if looks < 1:
        raise ValueError("there is at least one look")
    values, counts = checked(scores, errors)
    w = checked_weights(weights, len(values))
    is_split = rule != "target_error_rate"
    made: Made = {
        "rule": rule,
        "n_captions": len(values),
        "seed": seed,
        "target": None if is_split else target,
        "interval": "steps+bootstrap" if is_split else "bootstrap",
        "n_bootstrap": n_bootstrap,
        "looks": looks,
        "is_weighted": bool(np.ptp(w) > 0) if len(w) else False,
    }
    find = finder(rule, target)
    reason = no_answer(values, counts, rule)
    threshold = None if reason else find(values, counts, w)
    if threshold is None:
        return _undefined(reason or NOT_FOUND[rule].format(target=target), made)

    if is_split:
        low, high, why, n_defined = split_interval(
            values,
            counts,
            rule,
            threshold,
            w,
            n_bootstrap=n_bootstrap,
            seed=seed,
            looks=looks,
        )
    else:
        resampled = _resample(values, counts, w, find, n_bootstrap, seed)
        n_defined = len(resampled)
        low, high, why = _percentiles(resampled, looks)
    if not why and n_defined < MIN_SHARE_DEFINED * n_bootstrap:
        why = (
            f"Only {n_defined} of {n_bootstrap} resamples have a threshold, so the value is "
            "chance. Label more captions."
        )
        return _undefined(why, made, n_defined)
    is_below = values < threshold
    levels = [_weighted(counts[side], w[side]) for side in (is_below, ~is_below)]
    return ThresholdEstimate(
        threshold=float(threshold),
        low=low,
        high=high,
        reason=why,
        n_defined=n_defined,
        level_below=levels[0],
        level_above=levels[1],
        explained=_explained(counts, w, is_below),
        **made,
    )


def _percentiles(resampled: Array, looks: int) -> tuple[float | None, float | None, str]:
    if not len(resampled):
        return None, None, "No resamples were asked for, so there is no interval."
    tail = PERCENTILES[0] / looks
    low, high = np.percentile(resampled, (tail, 100 - tail))
    return float(low), float(high), ""


def _resample(
    values: Array,
    counts: Array,
    weights: Array,
    find: Find,
    n_bootstrap: int,
    seed: int,
) -> Array:
    random = np.random.default_rng(seed)
    n = len(values)
    thresholds = []
    for _ in range(n_bootstrap):
        chosen = random.integers(0, n, n)
        threshold = find(values[chosen], counts[chosen], weights[chosen])
        if threshold is not None:
            thresholds.append(threshold)
    return np.array(thresholds)


def _undefined(reason: str, made: Made, n_defined: int = 0) -> ThresholdEstimate:
    return ThresholdEstimate(
        threshold=None,
        low=None,
        high=None,
        reason=reason,
        n_defined=n_defined,
        level_below=None,
        level_above=None,
        explained=None,
        **made,
    )


def _weighted(counts: Array, weights: Array) -> float | None:
    return float(np.average(counts, weights=weights)) if len(counts) else None


def _explained(counts: Array, weights: Array, is_below: NDArray[np.bool_]) -> float | None:
    total = _squares(counts, weights)
    if not total:
        return None
    left = sum(_squares(counts[side], weights[side]) for side in (is_below, ~is_below))
    return 1 - left / total


def _squares(counts: Array, weights: Array) -> float:
    """Return the weighted sum of the squared differences from the mean."""
    if not len(counts):
        return 0.0
    return float((weights * (counts - np.average(counts, weights=weights)) ** 2).sum())
