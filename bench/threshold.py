"""The threshold with its interval: 1,000 resamples of 500 captions with three annotations each.

    python -m bench.threshold [--captions 500] [--resamples 1000] [--rounds 5]

`estimate_threshold` is timed beside a plain loop and the same from scikit-learn: the first split of
a regression tree, and the best point of the ROC curve. All see the same resamples and take turns in
one run.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.metrics import roc_curve
from sklearn.tree import DecisionTreeRegressor

from bench.timing import HEADER, machine, print_rows, take_turns
from metrics.threshold import MIN_PER_SIDE, estimate_threshold

PLANTED = 0.2
Find = Callable[[np.ndarray, np.ndarray], float]


def study(captions: int) -> tuple[np.ndarray, np.ndarray]:
    """Return scores, and each caption's mean of three people's error counts."""
    random = np.random.default_rng(0)
    scores = random.uniform(0, 0.5, captions)
    levels = np.where(scores < PLANTED, 2.0, 0.3)
    return scores, random.poisson(levels, (3, captions)).mean(axis=0)


def plain_change_point(scores: np.ndarray, errors: np.ndarray) -> float:
    rows = sorted(zip(scores.tolist(), errors.tolist(), strict=True))
    n, total = len(rows), sum(error for _, error in rows)
    best, threshold, below = 0.0, float("nan"), 0.0
    for left in range(1, n - MIN_PER_SIDE + 1):
        below += rows[left - 1][1]
        low, high = rows[left - 1][0], rows[left][0]
        if left < MIN_PER_SIDE or low == high:
            continue
        fall = below / left - (total - below) / (n - left)
        gain = left * (n - left) * fall * fall
        if fall > 0 and gain > best:
            best, threshold = gain, (low + high) / 2
    return threshold


def tree_change_point(scores: np.ndarray, errors: np.ndarray) -> float:
    stump = DecisionTreeRegressor(max_depth=1, min_samples_leaf=MIN_PER_SIDE)
    return float(stump.fit(scores[:, None], errors).tree_.threshold[0])


def curve_youden(scores: np.ndarray, errors: np.ndarray) -> float:
    alarms, caught, cuts = roc_curve(errors > 0, -scores, drop_intermediate=False)
    best = int(np.argmax((caught - alarms)[1:-1])) + 1
    return float(-(cuts[best] + cuts[best + 1]) / 2)


def plain_youden(scores: np.ndarray, errors: np.ndarray) -> float:
    rows = sorted(zip(scores.tolist(), (errors > 0).tolist(), strict=True))
    faulty = sum(is_faulty for _, is_faulty in rows)
    best, threshold, caught = 0, float("nan"), 0
    for left in range(1, len(rows)):
        caught += rows[left - 1][1]
        low, high = rows[left - 1][0], rows[left][0]
        gain = caught * (len(rows) - faulty) - (left - caught) * faulty
        if low < high and gain > best:
            best, threshold = gain, (low + high) / 2
    return threshold


def with_interval(
    find: Find, scores: np.ndarray, errors: np.ndarray, resamples: int
) -> tuple[float, float, float]:
    random, n = np.random.default_rng(0), len(scores)
    thresholds = []
    for _ in range(resamples):
        chosen = random.integers(0, n, n)
        thresholds.append(find(scores[chosen], errors[chosen]))
    low, high = np.percentile(thresholds, [2.5, 97.5])
    return find(scores, errors), low, high


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--captions", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    scores, errors = study(options.captions)

    def ours(rule: str) -> tuple[float | None, ...]:
        done = estimate_threshold(scores, errors, rule, options.resamples)
        return done.threshold, done.low, done.high

    print(machine())
    print(f"{options.resamples} resamples of {options.captions} captions, planted at {PLANTED}\n")
    print(HEADER)
    others_of: dict[str, dict[str, Find]] = {
        "change_point": {"plain loop": plain_change_point, "scikit-learn": tree_change_point},
        "youden": {"plain loop": plain_youden, "scikit-learn": curve_youden},
    }
    for rule, others in others_of.items():
        ways: dict[str, Callable[[], tuple[float | None, ...]]] = {"vericap": partial(ours, rule)}
        for name, find in others.items():
            ways[name] = partial(with_interval, find, scores, errors, options.resamples)
        print_rows(rule, take_turns(ways, options.rounds), "vericap")


if __name__ == "__main__":
    main()
