"""Three rules that each find a threshold in the scores and errors of a study."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metrics.intervals import Array

RULES = ("change_point", "youden", "target_error_rate")
MIN_CAPTIONS = 20
# Minimum number of captions on each side of the two-level fit, and in a kept part.
MIN_PER_SIDE = 5
# Equal means of several people's counts may differ by this much because of rounding.
ROUNDING = 1e-9
NOT_FOUND = {
    "change_point": "Errors do not fall as the score rises, so no threshold separates them.",
    "youden": "A lower score does not go with more errors, so no threshold separates them.",
    "target_error_rate": (
        "No score that keeps at least 5 captions brings the share of faulty ones down to "
        "{target:g}."
    ),
}


Find = Callable[[Array, Array, Array], float | None]


def finder(rule: str, target: float) -> Find:
    """Return the rule as a function of (n,) scores, errors and weights: a threshold, or None."""
    finders = {"change_point": _change_point, "youden": _youden}
    return finders[rule] if rule in finders else _at_most(target)


def no_answer(values: Array, counts: Array, rule: str) -> str:
    """Return why the study can't have a threshold by any rule, or ""."""
    if len(values) < MIN_CAPTIONS:
        return f"{len(values)} captions are labelled; at least {MIN_CAPTIONS} are needed."
    if np.ptp(values) == 0:
        return "All captions have the same score, so no threshold can divide them."
    if not counts.any():
        return "Nobody found an error, so there is nothing for a threshold to keep out."
    if rule == "change_point" and np.ptp(counts) == 0:
        return "All captions have the same number of errors, so no threshold divides them."
    inner = np.sort(values)[MIN_PER_SIDE - 1 : len(values) - MIN_PER_SIDE + 1]
    if rule == "change_point" and np.ptp(inner) == 0:
        return f"No threshold has at least {MIN_PER_SIDE} captions on either side."
    if rule == "youden" and (counts > 0).all():
        return "Every caption has an error, so a threshold could keep none of them."
    return ""


def _change_point(values: Array, counts: Array, weights: Array) -> float | None:
    order = np.argsort(values, kind="stable")
    x, y, w = values[order], counts[order], weights[order]
    n = len(x)
    left = np.arange(MIN_PER_SIDE, n - MIN_PER_SIDE + 1)
    left = left[x[left - 1] < x[left]]  # never between two equal scores
    if not len(left):
        return None
    sums, weight = np.cumsum(w * y), np.cumsum(w)
    below, above = weight[left - 1], weight[-1] - weight[left - 1]
    mean_left = sums[left - 1] / below
    mean_right = (sums[-1] - sums[left - 1]) / above
    fall = mean_left - mean_right
    fall[fall <= ROUNDING * y.max()] = 0
    # Least squared error = greatest variance between the two sides.
    gain = below * above * fall**2
    if not gain.any():
        return None
    split = left[np.argmax(gain >= gain.max() * (1 - ROUNDING))]
    return _between(x[split - 1], x[split])


def _youden(values: Array, counts: Array, weights: Array) -> float | None:
    faulty = counts > 0
    n_faulty, n_faultless = weights[faulty].sum(), weights[~faulty].sum()
    if not n_faulty or not n_faultless:
        return None
    distinct, place = np.unique(values, return_inverse=True)
    if len(distinct) < 2:
        return None
    caught, alarms = (
        np.cumsum(np.bincount(place[side], weights[side], len(distinct)))[:-1]
        for side in (faulty, ~faulty)
    )
    # Sensitivity plus specificity minus 1, times both counts, so that ties are exact where all
    # weights are 1.
    gain = caught * n_faultless - alarms * n_faulty
    best = int(np.argmax(gain))
    if gain[best] <= ROUNDING:
        return None
    return _between(distinct[best], distinct[best + 1])


def _between(low: float, high: float) -> float:
    """Return the middle of two scores; `high` if no number is between them."""
    middle = low / 2 + high / 2
    return float(middle if low < middle else high)


def _at_most(target: float) -> Find:
    def find(values: Array, counts: Array, weights: Array) -> float | None:
        order = np.argsort(values, kind="stable")
        x, faulty, w = values[order], (counts > 0)[order], weights[order]
        kept = np.arange(len(x), 0, -1)
        rate = np.cumsum((faulty * w)[::-1])[::-1] / np.cumsum(w[::-1])[::-1]
        starts = np.concatenate([[True], x[1:] > x[:-1]])
        good = np.flatnonzero(starts & (rate <= target) & (kept >= MIN_PER_SIDE))
        return float(x[good[0]]) if len(good) else None

    return find
