"""Three rules that each find a threshold in the scores and errors of a study."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metrics.intervals import Array

RULES = ("change_point", "youden", "target_error_rate")
LEAST_CAPTIONS = 20
# Minimum number of captions on each side of the two-level fit, and in a kept part.
LEAST_A_SIDE = 5
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


def finder(rule: str, target: float) -> Callable[[Array, Array], float | None]:
    """Return the rule as a function of (n,) scores and errors: a threshold, or None."""
    finders = {"change_point": _change_point, "youden": _youden}
    return finders[rule] if rule in finders else _at_most(target)


def no_answer(values: Array, counts: Array, rule: str) -> str:
    """Return why the study can't have a threshold by any rule, or ""."""
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
    caught = np.cumsum(np.bincount(place[faulty], minlength=len(distinct)))[:-1]
    alarms = np.cumsum(np.bincount(place[~faulty], minlength=len(distinct)))[:-1]
    # Sensitivity plus specificity minus 1, times both counts, so that ties of integers are exact.
    gain = caught * n_faultless - alarms * n_faulty
    best = int(np.argmax(gain))
    if gain[best] <= 0:
        return None
    return _between(distinct[best], distinct[best + 1])


def _between(low: float, high: float) -> float:
    """Return the middle of two scores; `high` if no number is between them."""
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
