"""How many labels it saves to ask where an answer tells most, on planted data.

    python -m bench.label_savings [--repeats 40] [--only thresholds verification]

thresholds    captions until the interval of the change point is narrow enough; an even sample, or
              one whose later waves are drawn around the estimate of the earlier ones.
verification  captions until the interval of the mean number of errors is narrow enough, and until
              four fifths of all errors are known; in an even order, or one drawn by the errors
              that the scores let expect.

All designs of a row see the same planted worlds. "weighted" is the adaptive design with weights by
the inverse of its probabilities, as reports compute it, "unweighted" the same design without them,
which rests on the model. A goal that isn't reached counts with all labels there are, and
the row says how often. "holds" is the share of intervals that hold the planted truth at the end. No
verdicts of people are stored with the code, so nothing here is from recorded data.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean
from time import process_time
from typing import NamedTuple

import numpy as np

from bench.timing import machine
from metrics.design import (
    caption_scores,
    draw_probabilities,
    draw_weights,
    draw_without_replacement,
    weighted_mean,
)
from metrics.threshold import estimate_threshold

SEED = 17
Random = np.random.Generator
PLAIN, WEIGHTED, UNWEIGHTED = DESIGNS = ("plain", "weighted", "unweighted")


class Ended(NamedTuple):
    """`held`: the share of the intervals that hold the truth; None without intervals."""

    labels: int
    is_reached: bool
    held: float | None


def thresholds(repeats: int) -> None:
    for what, below, above, widths in (
        ("clear jump", 2.0, 0.3, (0.04, 0.02)),
        ("weak jump", 1.2, 0.6, (0.1, 0.05)),
    ):
        for width in widths:
            run = partial(_study, below=below, above=above, width=width)
            goal = f"width of the interval <= {width}"
            _row(f"threshold: {what}, 4,000 captions", goal, run, repeats)


def _study(random: Random, design: str, *, below: float, above: float, width: float) -> Ended:
    """Draw waves of 50 captions up to 1,000, the first two of them even."""
    scores = random.uniform(0, 0.5, 4000)
    errors = random.poisson(np.where(scores < 0.2, below, above)).astype(float)
    chosen, weights = random.permutation(4000)[:100], np.ones(100)
    while True:
        made = estimate_threshold(scores[chosen], errors[chosen], n_bootstrap=200, weights=weights)
        low, high = made.low, made.high
        is_narrow = low is not None and high is not None and high - low <= width
        if is_narrow or len(chosen) == 1000:
            break
        left = np.setdiff1d(np.arange(4000), chosen)
        closeness = np.zeros(len(left))
        if design != PLAIN and low is not None and high is not None:
            closeness = caption_scores(scores[left], low, high)
        seed = int(random.integers(2**31))
        draws = draw_without_replacement(draw_probabilities(closeness), 50, seed)
        new = draw_weights([draw.probability for draw in draws], len(left))
        weights = np.append(weights, new if design == WEIGHTED else np.ones(50))
        chosen = np.append(chosen, left[[draw.place for draw in draws]])
    held = low is not None and high is not None and low <= 0.2 <= high
    return Ended(len(chosen), is_narrow, float(held))


def verification(repeats: int) -> None:
    for what, noise in (("errors follow the score", 0.05), ("errors follow it loosely", 0.3)):
        for goal, words in (
            ("width", "width of the mean's interval <= 0.2"),
            ("known", "four fifths of the errors known"),
        ):
            run = partial(_verified, noise=noise, goal=goal)
            _row(f"verification: {what}, 1,000 captions", words, run, repeats, DESIGNS[:2])


def _verified(random: Random, design: str, *, noise: float, goal: str) -> Ended:
    quality = random.uniform(0, 1, 1000)
    errors = random.poisson(3 * np.maximum(0, 1 - 1.6 * quality)).astype(float)
    expected = 3 * np.maximum(0.02, 1 - 1.6 * (quality + random.normal(0, noise, 1000)))
    probabilities = draw_probabilities(np.ones(1000) if design == PLAIN else expected)
    draws = draw_without_replacement(probabilities, 1000, int(random.integers(2**31)))
    values = errors[[draw.place for draw in draws]].tolist()
    if goal == "known":
        last = np.searchsorted(np.cumsum(values), 0.8 * errors.sum())
        return Ended(int(last) + 1, True, None)
    chances = [draw.probability for draw in draws]
    for n in range(20, 1001, 10):
        made = weighted_mean(values[:n], chances[:n], 1000)
        assert made.low is not None
        assert made.high is not None
        if made.high - made.low <= 0.2:
            break
    return Ended(n, n < 1000, float(made.low <= errors.mean() <= made.high))


def _row(
    what: str,
    goal: str,
    run: Callable[[Random, str], Ended],
    repeats: int,
    designs: Sequence[str] = DESIGNS,
) -> None:
    cells, plain = [], 0.0
    for design in designs:
        ends = [run(np.random.default_rng([SEED, n]), design) for n in range(repeats)]
        labels = fmean(end.labels for end in ends)
        plain = plain or labels
        missed = sum(not end.is_reached for end in ends)
        cells.append(f"{labels:.0f}" + (f", {missed} not reached" if missed else ""))
        held = [end.held for end in ends if end.held is not None]
        cells.append(f"{fmean(held):.0%}" if held else "")
        if design != PLAIN:
            cells.append(f"{1 - labels / plain:.0%}")
    cells += [""] * (8 - len(cells))
    print(f"| {what} | {goal} | {' | '.join(cells)} |".replace("%", " %"), flush=True)


PARTS: dict[str, Callable[[int], None]] = {
    "thresholds": thresholds,
    "verification": verification,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    print(f"{machine()}\n{options.repeats} planted worlds a row, seed {SEED}\n")
    print(
        "| design | goal | plain | holds | weighted | holds | fewer | unweighted | holds | fewer |"
    )
    print("|---" * 10 + "|")
    started = process_time()
    for name in options.only:
        PARTS[name](options.repeats)
    print(f"\n{process_time() - started:.0f} s of processor time")


if __name__ == "__main__":
    main()
