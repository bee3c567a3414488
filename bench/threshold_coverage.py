"""How often the 95 % interval of each rule holds the population's value of the same rule.

    python -m bench.threshold_coverage [--studies 150] [--only logistic] [--seed 77]

A study has n captions. Scores are uniform from 0 to 0.5, or normal with mean 0.25 and SD 0.08. A
caption's expected errors are a function of its score: steps from one level to a lower one, a
straight or a logistic fall. Its errors are a Poisson count, or the mean of such counts of several
people, as many for every caption or unequal numbers; with "varied captions" the expected errors of
each also have a gamma factor with variance 0.5. "waves": half of the captions are drawn with more
around 0.2, with weights for it.

An interval is to hold the rule's value in a population of a million captions: for change_point and
youden their best split, for target_error_rate the lowest score from which at most 10 % have an
error. Coverage counts the studies with an interval.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from time import process_time

import numpy as np

from metrics.threshold import RULES, estimate_threshold

MEAN, SD, HIGHEST = 0.25, 0.08, 0.5
RANKS = np.linspace(1e-6, 1 - 1e-6, 20_001)
NORMAL_SCORES = [NormalDist(MEAN, SD).inv_cdf(rank) for rank in RANKS]
POPULATION = 1_000_000
SEED = 12
Rate = Callable[[np.ndarray], np.ndarray]
Study = tuple[np.ndarray, np.ndarray, np.ndarray]


def steps(levels: tuple[float, ...], at: tuple[float, ...]) -> Rate:
    return lambda scores: np.asarray(np.array(levels)[np.digitize(scores, at)])


def logistic(middle: float, scale: float) -> Rate:
    return lambda scores: 0.05 + 1.95 / (1 + np.exp((scores - middle) / scale))


def straight(first: float, last: float) -> Rate:
    return lambda scores: 2 - 1.95 * np.clip((scores - first) / (last - first), 0, 1)


@dataclass(frozen=True)
class Design:
    """`people`: the possible numbers of people of a caption, of which each has one at random;
    `more_below`: captions below 0.2 have the last number, others the first.
    """

    name: str
    rate: Rate
    n: int = 300
    is_normal: bool = False
    people: tuple[int, ...] = (1,)
    more_below: bool = False
    is_varied: bool = False
    rounded_to: float = 0.0
    in_waves: bool = False

    def __str__(self) -> str:
        return f"{self.name}, {'normal' if self.is_normal else 'uniform'}, n {self.n}"

    def study(self, random: np.random.Generator) -> Study:
        scores, weights = self._scores(random.random(self.n)), np.ones(self.n)
        if self.in_waves:
            scores = self._scores(random.random(3 * self.n))
            chance = np.where(abs(scores - 0.2) < 0.05, 0.5, 0.2)
            is_drawn = random.random(3 * self.n) < chance
            scores, weights = scores[is_drawn], 1 / chance[is_drawn]
        return scores, self._errors(scores, random), weights

    def _scores(self, ranks: np.ndarray) -> np.ndarray:
        scores = ranks * HIGHEST
        if self.is_normal:
            scores = np.interp(ranks, RANKS, NORMAL_SCORES)
        return np.round(scores / self.rounded_to) * self.rounded_to if self.rounded_to else scores

    def _errors(self, scores: np.ndarray, random: np.random.Generator) -> np.ndarray:
        people = random.choice(self.people, len(scores))
        if self.more_below:
            people = np.where(scores < 0.2, self.people[-1], self.people[0])
        rates = self.rate(scores)
        if self.is_varied:
            rates = rates * random.gamma(2, 0.5, len(scores))
        errors: np.ndarray = random.poisson(rates * people) / people
        return errors

    def truth(self, rule: str) -> float | None:
        """Return the rule's value for evenly spaced scores with their expected errors."""
        scores = self._scores((np.arange(POPULATION) + 0.5) / POPULATION)
        expected = self.rate(scores)
        if rule != "change_point":
            expected = self._faulty(scores, expected)
        is_gap = scores[1:] > scores[:-1]
        middles = (scores[1:] + scores[:-1]) / 2
        if rule == "target_error_rate":
            above = np.cumsum(expected[::-1])[::-1] / np.arange(POPULATION, 0, -1)
            good = np.flatnonzero(above <= 0.1)
            return float(scores[good[0]]) if len(good) else None
        gain = np.cumsum(expected - expected.mean())[:-1]
        if rule == "change_point":
            below = np.arange(1, POPULATION) / POPULATION
            gain = np.maximum(gain, 0) ** 2 / (below * (1 - below))
        return float(middles[np.where(is_gap, gain, -1).argmax()])

    def _faulty(self, scores: np.ndarray, rates: np.ndarray) -> np.ndarray:
        def of(people: int) -> np.ndarray:
            if self.is_varied:
                return np.asarray(1 - (1 + rates * people / 2) ** -2)
            return np.asarray(1 - np.exp(-rates * people))

        if self.more_below:
            return np.where(scores < 0.2, of(self.people[-1]), of(self.people[0]))
        return np.asarray(np.mean([of(people) for people in self.people], axis=0))


TWO = steps((2, 0.8, 0.05), (0.15, 0.3))
DESIGNS = (
    Design("3 / 0.05", steps((3, 0.05), (0.23,)), 500, is_normal=True),
    Design("3 / 0.05", steps((3, 0.05), (0.23,)), 100, is_normal=True),
    Design("2 / 0.05, 3 people", steps((2, 0.05), (0.2,)), 200, people=(3,)),
    Design("1.5 / 0.8", steps((1.5, 0.8), (0.2,)), 200),
    Design("2 / 0.3, 1 to 3 people", steps((2, 0.3), (0.2,)), people=(1, 2, 3)),
    Design("2 / 0.3, 6 people below", steps((2, 0.3), (0.2,)), people=(1, 6), more_below=True),
    Design("2 / 0.3, scores to 0.05", steps((2, 0.3), (0.2,)), rounded_to=0.05),
    Design("2 / 0.3, waves", steps((2, 0.3), (0.2,)), in_waves=True),
    Design("2 / 0.8 / 0.05", TWO),
    Design("2 / 0.8 / 0.05", TWO, is_normal=True),
    Design("2 / 0.8 / 0.05, varied captions", TWO, is_varied=True),
    Design("2 / 0.8 / 0.05, 3 people", TWO, 200, people=(3,)),
    Design("2 / 0.55 / 0.05, nearly equal", steps((2, 0.55, 0.05), (0.15, 0.3))),
    Design("2 / 1.2 / 0.5 / 0.05", steps((2, 1.2, 0.5, 0.05), (0.12, 0.24, 0.36))),
    Design("logistic, 0.03", logistic(0.2, 0.03)),
    Design("logistic, 0.06", logistic(0.2, 0.06)),
    Design("logistic, 0.03", logistic(0.2, 0.03), 600, is_normal=True),
    Design("straight from 0 to 0.5", straight(0, 0.5)),
    Design(
        "2.5 / 1.6 / 0.9 / 0.4 / 0.05", steps((2.5, 1.6, 0.9, 0.4, 0.05), (0.1, 0.2, 0.3, 0.4)), 400
    ),
    Design("2 / 0.8 / 0.05", TWO, 100),
    Design("2 / 0.8 / 0.05", TWO, 600, is_normal=True),
    Design("2 / 0.62 / 0.05", steps((2, 0.62, 0.05), (0.15, 0.3))),
    Design("2 / 0.8 / 0.05, 1 to 3 people, scores to 0.02", TWO, people=(1, 2, 3), rounded_to=0.02),
    Design("2 / 0.8 / 0.05, waves", TWO, in_waves=True),
    Design(
        "2 / 1.2 / 0.5 / 0.05", steps((2, 1.2, 0.5, 0.05), (0.15, 0.25, 0.33)), 500, is_normal=True
    ),
    Design(
        "straight and a step", lambda scores: straight(0, 0.5)(scores) / 2 + 0.6 * (scores < 0.2)
    ),
    Design("logistic, 0.03", logistic(0.2, 0.03), 100),
)


def coverage(design: Design, rule: str, studies: int, seed: int) -> tuple[float, float, int] | None:
    """Return the share of the intervals that hold the truth, their median width, and the number of
    studies without one; None if there is no truth.
    """
    truth = design.truth(rule)
    if truth is None:
        return None
    holds, widths = 0, []
    for number in range(studies):
        scores, errors, weights = design.study(np.random.default_rng([seed, number]))
        estimate = estimate_threshold(scores, errors, rule, weights=weights)
        if estimate.low is not None and estimate.high is not None:
            holds += estimate.low <= truth <= estimate.high
            widths.append(estimate.high - estimate.low)
    return holds / len(widths), float(np.median(widths)), studies - len(widths)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=150)
    parser.add_argument("--only", default="", help="a part of the names of designs")
    parser.add_argument("--rules", nargs="+", choices=RULES, default=RULES)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    print("| design | " + " | ".join(options.rules) + " |")
    print("|---|" + "---|" * len(options.rules))
    started = process_time()
    for design in DESIGNS:
        if options.only not in str(design):
            continue
        cells = []
        for rule in options.rules:
            covered = coverage(design, rule, options.studies, options.seed)
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
