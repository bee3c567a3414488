"""How often the 95 % interval of each rule holds the planted threshold.

    python -m bench.threshold_coverage [--studies 200] [--only 2]

A study has n captions. Scores are uniform from 0 to 0.5 with the threshold planted at 0.2, or
normal with mean 0.25 and SD 0.08 with the threshold at 0.23. A caption's errors are a Poisson
count of one level below the threshold and of a lower one from it on, or the mean of such counts of
several people. The last design has no jump: its score is the quality, at which the jump is, give or
take 0.02, and its errors are seen by three people who overlook some, as in the demo's simulated
study.

What each interval is to hold:

- change_point and youden: the planted threshold. It is the best split of the population by either
  rule: below it a caption has an error more often than on average, above it less often, so both
  gains rise up to it and fall from it on. In the last design it is the population's best split.
- target_error_rate: the lowest score from which at most 10 % of the population's captions have an
  error; not defined where more of those above the planted threshold have one.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import exp
from statistics import NormalDist
from time import process_time

import numpy as np

from metrics.threshold import RULES, estimate_threshold

MEAN, SD, HIGHEST = 0.25, 0.08, 0.5
PLANTED = {"normal": 0.23, "uniform": 0.2}
TARGET = 0.1
CHANCES, NOTICES, BLUR = 4, (0.95, 0.85, 0.65), 0.02
SEED = 12
Study = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Design:
    """`below` and `above`: errors a caption on either side of the planted threshold."""

    scores: str
    n: int
    below: float
    above: float
    people: int = 1
    is_blurred: bool = False

    def __str__(self) -> str:
        people = f", mean of {self.people} people" if self.people > 1 else ""
        blurred = ", blurred score" if self.is_blurred else ""
        return f"{self.scores}, n {self.n}, {self.below:g} / {self.above:g}{people}{blurred}"

    def study(self, random: np.random.Generator, n: int = 0) -> Study:
        n = n or self.n
        normal = self.scores == "normal"
        quality = random.normal(MEAN, SD, n) if normal else random.uniform(0, HIGHEST, n)
        is_below = quality < PLANTED[self.scores]
        if self.is_blurred:
            rates = np.where(is_below, self.below / CHANCES, self.above / CHANCES)
            made = random.binomial(CHANCES, rates)
            seen = [random.binomial(made, notices) for notices in NOTICES]
            return quality + random.normal(0, BLUR, n), np.mean(seen, axis=0)
        levels = np.where(is_below, self.below, self.above)
        return quality, random.poisson(levels, (self.people, n)).mean(axis=0)

    def truth(self, rule: str) -> float | None:
        if self.is_blurred:
            if rule == "target_error_rate":
                return None
            population = self.study(np.random.default_rng(SEED), 2_000_000)
            return estimate_threshold(*population, rule, n_permutations=0).threshold
        planted = PLANTED[self.scores]
        if rule != "target_error_rate":
            return planted
        faulty_below, faulty_above = (
            1 - exp(-self.people * level) for level in (self.below, self.above)
        )
        if faulty_above >= TARGET:
            return None
        # Of the share kept, (kept - above) has errors at the one rate and `above` at the other.
        above = 1 - self._share_below(planted)
        kept = above * (faulty_below - faulty_above) / (faulty_below - TARGET)
        return self._score_at(1 - kept)

    def _share_below(self, score: float) -> float:
        return NormalDist(MEAN, SD).cdf(score) if self.scores == "normal" else score / HIGHEST

    def _score_at(self, share: float) -> float:
        return NormalDist(MEAN, SD).inv_cdf(share) if self.scores == "normal" else share * HIGHEST


DESIGNS = (
    Design("normal", 500, 3, 0.05),
    Design("normal", 500, 1.2, 0.05),
    Design("normal", 500, 3, 0.8),
    Design("normal", 100, 3, 0.05),
    Design("uniform", 200, 2, 0.05, people=3),
    Design("uniform", 500, 2, 0.05),
    Design("uniform", 200, 1.5, 0.8),
    Design("normal", 500, 1.8, 0.48, people=3, is_blurred=True),
)


def coverage(design: Design, rule: str, studies: int) -> tuple[float, float, int] | None:
    """Return the share of studies whose interval contains the truth, the median width, and the
    number of studies without an interval, which count as not containing it; None if there is no
    truth."""
    truth = design.truth(rule)
    if truth is None:
        return None
    holds, widths, without = 0, [], 0
    for number in range(studies):
        scores, errors = design.study(np.random.default_rng([SEED, number]))
        estimate = estimate_threshold(scores, errors, rule, target=TARGET)
        if estimate.low is None or estimate.high is None:
            without += 1
            continue
        holds += estimate.low <= truth <= estimate.high
        widths.append(estimate.high - estimate.low)
    return holds / studies, float(np.median(widths)), without


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=200)
    parser.add_argument("--only", type=int, help="the number of one design, from 1")
    options = parser.parse_args()
    print("| design | " + " | ".join(RULES) + " |")
    print("|---|" + "---|" * len(RULES))
    started = process_time()
    for design in [DESIGNS[options.only - 1]] if options.only else DESIGNS:
        cells = []
        for rule in RULES:
            covered = coverage(design, rule, options.studies)
            if covered is None:
                cells.append("not defined")
                continue
            share, width, without = covered
            none = f", {without} without" if without else ""
            cells.append(f"{share:.1%} ({width:.3f}{none})".replace("%", " %"))
        print(f"| {design} | " + " | ".join(cells) + " |", flush=True)
    print(f"\n{options.studies} studies a cell, {process_time() - started:.0f} s of processor time")


if __name__ == "__main__":
    main()
