"""From which score on a caption is good enough, estimated from people's error counts.

LoVR (section 3.2.2 and appendix B.2) looks at errors against EVQAScore, sees them rise below 0.2
and takes that as its threshold; it gives no rule. The rules here recompute it from stored labels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.correlation import mean_ranks
from metrics.intervals import LEAST_SHARE_DEFINED, PERCENTILES, Array

VERSION = 2
RULES = ("change_point", "youden", "target_error_rate")
LEAST_CAPTIONS = 20
# A level of the two-level fit, and a kept part, rests on at least so many captions.
LEAST_A_SIDE = 5
# Equal means of several people's counts may differ by as much as rounding makes them.
ROUNDING = 1e-9


@dataclass(frozen=True)
class ThresholdEstimate:
    """A threshold with its 95 % bootstrap interval, in the scores' unit; all three are None where
    there is no answer, and `reason` says why.

    A caption is kept where its score is at or above the threshold. `level_below` and
    `level_above`: mean errors a caption on either side. `explained`: share of the errors' variance
    that the two levels explain, 0 to 1. `n_defined`: resamples that had an answer.
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
    version: int = VERSION


@dataclass(frozen=True)
class Consequences:
    """What a threshold keeps and sends back; a caption is faulty where it has any error.

    kept + flagged = all. `missed`: kept though faulty. `false_alarms`: flagged though faultless.
    Rates are shares of the kept, of the faulty and of the faultless; None where there are none.
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
    """Errors as a never rising step function of the score: `fitted[i]` at `scores[i]`, which are
    the distinct scores in rising order."""

    scores: tuple[float, ...]
    fitted: tuple[float, ...]


def estimate_threshold(
    scores: ArrayLike,
    errors: ArrayLike,
    rule: str = "change_point",
    n_bootstrap: int = 1000,
    seed: int = 0,
    *,
    target: float = 0.1,
) -> ThresholdEstimate:
    """Estimate the score from which captions are good enough.

    `scores`: (n,), one a caption. `errors`: (n,), its errors, a count or a mean of several
    people's counts, at least 0. Rules:

    - change_point: errors have one level below the threshold and a lower one above it; the split
      with the least squared error, half-way between two neighbouring scores.
    - youden: the score as a detector of "has an error"; the value with the greatest sensitivity
      plus specificity.
    - target_error_rate: the lowest value at which at most the share `target` of the kept captions
      has an error.

    The interval is the 2.5th to 97.5th percentile over `n_bootstrap` resamples of captions (never
    of annotators). Ties in the scores are never split; among equally good values the lowest wins,
    which keeps most. Raises ValueError for unequal lengths, negative errors, numbers that are not
    finite, an unknown rule, a target outside 0 to below 1, and a negative `n_bootstrap`.
    """
    if rule not in RULES:
        raise ValueError(f"rule is {rule!r}; choose from {', '.join(RULES)}")
    if not 0 <= target < 1:
        raise ValueError(f"target is {target}; it is a share from 0 to below 1")
    if n_bootstrap < 0:
        raise ValueError(f"n_bootstrap is {n_bootstrap}; it can't be negative")
    values, counts = _checked(scores, errors)
    find = _finder(rule, target)
    reason = _no_answer(values, counts, rule)
    threshold = None if reason else find(values, counts)
    if threshold is None:
        why = reason or _NOT_FOUND[rule].format(target=target)
        return _undefined(why, rule, len(values), n_bootstrap, seed, target)

    found = _resample(values, counts, find, n_bootstrap, seed)
    if len(found) < LEAST_SHARE_DEFINED * n_bootstrap:
        why = (
            f"Only {len(found)} of {n_bootstrap} resamples have a threshold, so the value is "
            "chance. Label more captions."
        )
        return _undefined(why, rule, len(values), n_bootstrap, seed, target, len(found))
    low, high = np.percentile(found, PERCENTILES) if len(found) else (None, None)
    below, above = counts[values < threshold], counts[values >= threshold]
    return ThresholdEstimate(
        threshold=float(threshold),
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        reason="" if n_bootstrap else "No resamples were asked for, so there is no interval.",
        rule=rule,
        n_captions=len(values),
        n_bootstrap=n_bootstrap,
        n_defined=len(found),
        seed=seed,
        target=target if rule == "target_error_rate" else None,
        level_below=float(below.mean()) if len(below) else None,
        level_above=float(above.mean()) if len(above) else None,
        explained=_explained(counts, below, above),
    )


def consequences(scores: ArrayLike, errors: ArrayLike, threshold: float) -> Consequences:
    """What keeping the captions at or above `threshold` means.

    Raises ValueError for a threshold that is NaN, and for scores and errors as above.
    """
    if np.isnan(threshold):
        raise ValueError("threshold is NaN, and no score is above or below that")
    values, counts = _checked(scores, errors)
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
    """Spearman's rho of score and errors, -1 to 1, ties at their mean rank; None without captions
    and where one of the two is constant, since a rank correlation is not defined then."""
    values, counts = _checked(scores, errors)
    if len(np.unique(values)) < 2 or len(np.unique(counts)) < 2:
        return None
    first, second = mean_ranks(values), mean_ranks(counts)
    return float(np.clip(np.corrcoef(first, second)[0, 1], -1, 1))


def auc(scores: ArrayLike, errors: ArrayLike) -> float | None:
    """How often a faulty caption scores lower than a faultless one, ties counted half: 0 to 1.

    None where all captions are faulty or none is.
    """
    values, counts = _checked(scores, errors)
    faulty = counts > 0
    n_faulty, n_faultless = int(faulty.sum()), int((~faulty).sum())
    if not n_faulty or not n_faultless:
        return None
    lower = mean_ranks(-values)[faulty].sum() - n_faulty * (n_faulty + 1) / 2
    return float(lower / (n_faulty * n_faultless))


def monotone_fit(scores: ArrayLike, errors: ArrayLike) -> MonotoneFit:
    """Least-squares fit of errors that never rise with the score (pool adjacent violators)."""
    values, counts = _checked(scores, errors)
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


def _change_point(values: Array, counts: Array) -> float | None:
    order = np.argsort(values, kind="stable")
    x, y = values[order], counts[order]
    n = len(x)
    left = np.arange(LEAST_A_SIDE, n - LEAST_A_SIDE + 1)
    left = left[x[left - 1] < x[left]]  # never between two equal scores
    if not len(left):
        return None
    sums = np.cumsum(y)
    mean_left = sums[left - 1] / left
    mean_right = (sums[-1] - sums[left - 1]) / (n - left)
    fall = mean_left - mean_right
    fall[fall <= ROUNDING * y.max()] = 0
    # Least squared error = greatest variance between the two sides.
    gain = left * (n - left) * fall**2
    if not gain.any():
        return None
    split = left[np.argmax(gain >= gain.max() * (1 - ROUNDING))]
    return _between(x[split - 1], x[split])


def _youden(values: Array, counts: Array) -> float | None:
    faulty = counts > 0
    n_faulty, n_faultless = faulty.sum(), (~faulty).sum()
    if not n_faulty or not n_faultless:
        return None
    distinct, place = np.unique(values, return_inverse=True)
    if len(distinct) < 2:
        return None
    found = np.cumsum(np.bincount(place[faulty], minlength=len(distinct)))[:-1]
    alarms = np.cumsum(np.bincount(place[~faulty], minlength=len(distinct)))[:-1]
    # Sensitivity plus specificity, less 1, times both numbers: whole numbers tie exactly.
    gain = found * n_faultless - alarms * n_faulty
    best = int(np.argmax(gain))
    if gain[best] <= 0:
        return None
    return _between(distinct[best], distinct[best + 1])


def _between(low: float, high: float) -> float:
    """The middle of two scores; `high` itself where no number lies between them."""
    middle = low / 2 + high / 2
    return float(middle if low < middle else high)


def _at_most(target: float) -> Callable[[Array, Array], float | None]:
    def find(values: Array, counts: Array) -> float | None:
        order = np.argsort(values, kind="stable")
        x, faulty = values[order], (counts > 0)[order]
        kept = np.arange(len(x), 0, -1)
        rate = np.cumsum(faulty[::-1])[::-1] / kept
        starts = np.concatenate([[True], x[1:] > x[:-1]])
        good = np.flatnonzero(starts & (rate <= target) & (kept >= LEAST_A_SIDE))
        return float(x[good[0]]) if len(good) else None

    return find


def _finder(rule: str, target: float) -> Callable[[Array, Array], float | None]:
    finders = {"change_point": _change_point, "youden": _youden}
    return finders[rule] if rule in finders else _at_most(target)


_NOT_FOUND = {
    "change_point": "Errors do not fall as the score rises, so no threshold separates them.",
    "youden": "A lower score does not go with more errors, so no threshold separates them.",
    "target_error_rate": (
        "At no score that keeps at least 5 captions is the share of faulty ones as low as "
        "{target:g}."
    ),
}


def _no_answer(values: Array, counts: Array, rule: str) -> str:
    if len(values) < LEAST_CAPTIONS:
        return f"{len(values)} captions are labelled; at least {LEAST_CAPTIONS} are needed."
    if np.ptp(values) == 0:
        return "All captions have the same score, so no threshold can divide them."
    if not counts.any():
        return "Nobody found an error, so there is nothing for a threshold to keep out."
    if rule == "change_point" and np.ptp(counts) == 0:
        return "All captions have the same number of errors, so no threshold divides them."
    inner = np.sort(values)[LEAST_A_SIDE - 1 : len(values) - LEAST_A_SIDE + 1]
    if rule == "change_point" and np.ptp(inner) == 0:
        return f"No threshold has at least {LEAST_A_SIDE} captions on either side."
    if rule == "youden" and (counts > 0).all():
        return "Every caption has an error, so there is none that a threshold could keep."
    return ""


def _resample(
    values: Array,
    counts: Array,
    find: Callable[[Array, Array], float | None],
    n_bootstrap: int,
    seed: int,
) -> Array:
    random = np.random.default_rng(seed)
    n = len(values)
    found = []
    for _ in range(n_bootstrap):
        chosen = random.integers(0, n, n)
        threshold = find(values[chosen], counts[chosen])
        if threshold is not None:
            found.append(threshold)
    return np.array(found)


def _undefined(
    reason: str,
    rule: str,
    n_captions: int,
    n_bootstrap: int,
    seed: int,
    target: float,
    n_defined: int = 0,
) -> ThresholdEstimate:
    return ThresholdEstimate(
        threshold=None,
        low=None,
        high=None,
        reason=reason,
        rule=rule,
        n_captions=n_captions,
        n_bootstrap=n_bootstrap,
        n_defined=n_defined,
        seed=seed,
        target=target if rule == "target_error_rate" else None,
        level_below=None,
        level_above=None,
        explained=None,
    )


def _explained(counts: Array, below: Array, above: Array) -> float | None:
    total = float(((counts - counts.mean()) ** 2).sum())
    if not total:
        return None
    left = sum(float(((side - side.mean()) ** 2).sum()) for side in (below, above) if len(side))
    return 1 - left / total


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _checked(scores: ArrayLike, errors: ArrayLike) -> tuple[Array, Array]:
    values, counts = np.asarray(scores, dtype=float), np.asarray(errors, dtype=float)
    if values.ndim != 1 or values.shape != counts.shape:
        raise ValueError(
            f"scores have shape {values.shape} and errors {counts.shape}: give one number each "
            "for every caption"
        )
    if not np.isfinite(values).all() or not np.isfinite(counts).all():
        raise ValueError("scores and errors must be finite numbers")
    if (counts < 0).any():
        raise ValueError("errors are counts and can't be negative")
    return values, counts
