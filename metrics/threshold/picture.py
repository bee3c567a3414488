"""The consequences of a threshold and the relation of errors to the score, for display."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.correlation import mean_ranks
from metrics.intervals import Array
from metrics.threshold.study import checked, checked_weights


@dataclass(frozen=True)
class Consequences:
    """What a threshold keeps and sends back; a caption is faulty if it has any error.

    kept + flagged = all. `missed`: kept though faulty. `false_alarms`: flagged though faultless.
    Rates are shares of the kept, faulty and faultless captions; None without such captions.
    """

    kept: int
    flagged: int
    missed: int
    false_alarms: int
    kept_error_rate: float | None
    found_share: float | None
    false_alarm_share: float | None


@dataclass(frozen=True)
class MonotoneFit:
    """Errors as a non-increasing step function of the score: `fitted[i]` at `scores[i]`, the
    distinct scores in increasing order.
    """

    scores: tuple[float, ...]
    fitted: tuple[float, ...]


def consequences(scores: ArrayLike, errors: ArrayLike, threshold: float) -> Consequences:
    """Return the consequences of keeping the captions at or above `threshold`.

    Raises ValueError for a threshold that is NaN, and as `checked` does.
    """
    if np.isnan(threshold):
        raise ValueError("threshold is NaN, and no score is above or below that")
    values, counts = checked(scores, errors)
    kept, faulty = values >= threshold, counts > 0
    missed, false_alarms = int((kept & faulty).sum()), int((~kept & ~faulty).sum())
    return Consequences(
        kept=int(kept.sum()),
        flagged=int((~kept).sum()),
        missed=missed,
        false_alarms=false_alarms,
        kept_error_rate=_share(missed, int(kept.sum())),
        found_share=_share(int((~kept & faulty).sum()), int(faulty.sum())),
        false_alarm_share=_share(false_alarms, int((~faulty).sum())),
    )


def spearman(
    scores: ArrayLike, errors: ArrayLike, weights: ArrayLike | None = None
) -> float | None:
    """Return Spearman's rho of score and errors, -1 to 1, with ties at their mean rank; None
    without captions or if either is constant. `weights`: as for `estimate_threshold`.
    """
    values, counts = checked(scores, errors)
    if len(np.unique(values)) < 2 or len(np.unique(counts)) < 2:
        return None
    w = checked_weights(weights, len(values))
    if np.ptp(w) > 0:
        covariance = np.cov(_weighted_ranks(values, w), _weighted_ranks(counts, w), aweights=w)
        return float(
            np.clip(covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1]), -1, 1)
        )
    first, second = mean_ranks(values), mean_ranks(counts)
    return float(np.clip(np.corrcoef(first, second)[0, 1], -1, 1))


def auc(scores: ArrayLike, errors: ArrayLike, weights: ArrayLike | None = None) -> float | None:
    """Return the probability that a faulty caption scores lower than a faultless one, with ties
    counted half: 0 to 1.

    None if all captions are faulty or none is. `weights`: as for `estimate_threshold`.
    """
    values, counts = checked(scores, errors)
    faulty = counts > 0
    if faulty.all() or not faulty.any():
        return None
    w = checked_weights(weights, len(values))
    distinct, place = np.unique(values, return_inverse=True)
    by_score = [np.bincount(place[side], w[side], len(distinct)) for side in (faulty, ~faulty)]
    above = by_score[1].sum() - np.cumsum(by_score[1])
    lower = (by_score[0] * (above + by_score[1] / 2)).sum()
    return float(lower / (by_score[0].sum() * by_score[1].sum()))


def monotone_fit(
    scores: ArrayLike, errors: ArrayLike, weights: ArrayLike | None = None
) -> MonotoneFit:
    """Return the least-squares fit of errors that never rise with the score (pool adjacent
    violators). `weights`: as for `estimate_threshold`.
    """
    values, counts = checked(scores, errors)
    distinct, place = np.unique(values, return_inverse=True)
    w = checked_weights(weights, len(values))
    totals = np.bincount(place, weights=w)
    means = np.bincount(place, weights=w * counts) / totals
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many distinct scores
    for mean, weight in zip(means, totals, strict=True):
        blocks.append((float(mean), float(weight), 1))
        while len(blocks) > 1 and blocks[-2][0] < blocks[-1][0]:
            (m1, w1, n1), (m2, w2, n2) = blocks.pop(-2), blocks.pop()
            blocks.append(((m1 * w1 + m2 * w2) / (w1 + w2), w1 + w2, n1 + n2))
    fitted = [mean for mean, _, length in blocks for _ in range(length)]
    return MonotoneFit(tuple(float(score) for score in distinct), tuple(fitted))


def _weighted_ranks(values: Array, weights: Array) -> Array:
    """Return for each the weight below it and half the weight of its equals."""
    _, place = np.unique(values, return_inverse=True)
    totals = np.bincount(place, weights=weights)
    ranks: Array = (np.cumsum(totals) - totals / 2)[place]
    return ranks


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
