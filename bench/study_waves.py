"""How narrow the interval of a threshold study becomes, drawn evenly or in waves, on planted data.

    python -m bench.study_waves [--repeats 40]

Both designs of a row see the same planted worlds of 4,000 captions with a threshold of 0.2, and ask
for the same number of captions. They are drawn by the functions that studies use. "holds" is the
share of intervals that hold 0.2. "below" and "above" are the mean errors on either side of the
estimate, which weights keep unbiased: compare them with those that are planted.
"""

from __future__ import annotations

import argparse
from statistics import fmean, median
from time import process_time
from typing import NamedTuple

import numpy as np

from bench.timing import machine
from metrics.design import (
    caption_scores,
    draw_included,
    effective_size,
    inclusion_probabilities,
)
from metrics.threshold import estimate_threshold
from review.threshold.sample import even_chances, stratified, wave_sizes

SEED = 17
CAPTIONS, STRATA, THRESHOLD = 4000, 10, 0.2
JUMPS = {"clear jump": (2.0, 0.3), "weak jump": (1.2, 0.6)}
DESIGNS = ("evenly", "in waves")


class Ended(NamedTuple):
    width: float
    held: bool
    below: float
    above: float
    effective: float


def study(seed: int, *, jump: str, is_skewed: bool, size: int, design: str) -> Ended | None:
    """Return the result of a study; None if it has no interval."""
    random = np.random.default_rng([SEED, seed])
    spread = random.beta(2, 4, CAPTIONS) if is_skewed else random.uniform(0, 1, CAPTIONS)
    scores, (below, above) = spread / 2, JUMPS[jump]
    errors = random.poisson(np.where(scores < THRESHOLD, below, above)).astype(float)
    first, *later = [size] if design == DESIGNS[0] else wave_sizes(size, STRATA)
    chosen = np.array([place for place, _ in stratified(scores.tolist(), first, STRATA, seed)])
    weights = np.ones(first)
    for number, wave in enumerate(later, 1):
        made = estimate_threshold(scores[chosen], errors[chosen], n_bootstrap=300, weights=weights)
        left = np.setdiff1d(np.arange(CAPTIONS), chosen)
        even = np.array([chance for _, chance in even_chances(scores[left].tolist(), wave, STRATA)])
        closeness = np.zeros(len(left))
        if made.low is not None and made.high is not None:
            closeness = caption_scores(scores[left], made.low, made.high)
        probabilities = inclusion_probabilities(even, closeness)
        drawn = draw_included(probabilities, (seed, number))
        weights = np.append(weights, (even / probabilities)[drawn])
        chosen = np.append(chosen, left[drawn])
    made = estimate_threshold(scores[chosen], errors[chosen], n_bootstrap=300, weights=weights)
    if made.low is None or made.high is None:
        return None
    assert made.level_below is not None
    assert made.level_above is not None
    return Ended(
        made.high - made.low,
        made.low <= THRESHOLD <= made.high,
        made.level_below,
        made.level_above,
        effective_size(weights),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=40)
    repeats = parser.parse_args().repeats
    print(f"{machine()}\n{repeats} planted worlds a row, seed {SEED}\n")
    print(
        "| errors | scores | captions | drawn | median width | holds | below | above | effective |"
    )
    print("|---" * 9 + "|")
    started = process_time()
    for is_skewed in (False, True):
        for jump in JUMPS:
            for size in (200, 500):
                for design in DESIGNS:
                    ends = [
                        study(seed, jump=jump, is_skewed=is_skewed, size=size, design=design)
                        for seed in range(repeats)
                    ]
                    made = [end for end in ends if end]
                    cells = (
                        jump,
                        "skewed" if is_skewed else "uniform",
                        size,
                        design,
                        f"{median(end.width for end in made):.4f}",
                        f"{fmean(end.held for end in made):.0%}".replace("%", " %"),
                        f"{fmean(end.below for end in made):.2f}",
                        f"{fmean(end.above for end in made):.2f}",
                        f"{fmean(end.effective for end in made):.0f}",
                    )
                    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    print(f"\n{process_time() - started:.0f} s of processor time")


if __name__ == "__main__":
    main()
