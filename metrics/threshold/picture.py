"""The consequences of a threshold and the relation of errors to the score, for display."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.correlation import mean_ranks
from metrics.threshold.study import checked


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


def spearman(scores: ArrayLike, errors: ArrayLike) -> float | None:
    """Return Spearman's rho of score and errors, -1 to 1, with ties at their mean rank; None
    without captions or if either is constant.
    """
    values, counts = checked(scores, errors)
    if len(np.unique(values)) < 2 or len(np.unique(counts)) < 2:
        return None
    first, second = mean_ranks(values), mean_ranks(counts)
    return float(np.clip(np.corrcoef(first, second)[0, 1], -1, 1))


def auc(scores: ArrayLike, errors: ArrayLike) -> float | None:
    """Return the probability that a faulty caption scores lower than a faultless one, with ties
    counted half: 0 to 1.

    None if all captions are faulty or none is.
    """
    values, counts = checked(scores, errors)
    faulty = counts > 0
    n_faulty, n_faultless = int(faulty.sum()), int((~faulty).sum())
    if not n_faulty or not n_faultless:
        return None
    lower = mean_ranks(-values)[faulty].sum() - n_faulty * (n_faulty + 1) / 2
    return float(lower / (n_faulty * n_faultless))


def monotone_fit(scores: ArrayLike, errors: ArrayLike) -> MonotoneFit:
    """Return the least-squares fit of errors that never rise with the score (pool adjacent
    violators).
    """
    values, counts = checked(scores, errors)
    distinct, place = np.unique(values, return_inverse=True)
    weights = np.bincount(place).astype(float)
    means = np.bincount(place, weights=counts) / weights
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many distinct scores
    for mean, weight in zip(means, weights, strict=True):
        blocks.append((float(mean), float(weight), 1))
        while len(blocks) > 1 and blocks[-2][0] < blocks[-1][0]:
            (m1, w1, n1), (m2, w2, n2) = blocks.pop(-2), blocks.pop()
            blocks.append(((m1 * w1 + m2 * w2) / (w1 + w2), w1 + w2, n1 + n2))
    fitted = [mean for mean, _, length in blocks for _ in range(length)]
    return MonotoneFit(tuple(float(score) for score in distinct), tuple(fitted))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
