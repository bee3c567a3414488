"""Krippendorff's alpha with its interval: 20,000 labels, 1,000 resamples of units.

    python -m bench.agreement [--labels 20000] [--resamples 1000] [--rounds 3]

The package `krippendorff` is timed beside `krippendorff_alpha`. It is called on every resample of a
table of how often each unit got each label, which spares it the counting. Both see the same
resamples and take turns in one run.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import Literal

import krippendorff
import numpy as np

from bench.timing import HEADER, machine, print_rows, take_turns
from metrics.agreement import Label, krippendorff_alpha

Level = Literal["nominal", "ordinal", "interval"]

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
SCALE = range(6)
RATERS_A_UNIT = 3
PEOPLE = 25


def rated(labels: int) -> list[Label]:
    """Rate each unit from 0 to 5 by three of 25 people, who stray from the truth by about one."""
    random = np.random.default_rng(0)
    rows: list[Label] = []
    for unit in range(-(-labels // RATERS_A_UNIT)):
        people = random.choice(PEOPLE, RATERS_A_UNIT, replace=False)
        ratings = np.clip(random.integers(0, 6) + random.normal(0, 1, RATERS_A_UNIT).round(), 0, 5)
        rows += [(int(who), unit, int(label)) for who, label in zip(people, ratings, strict=True)]
    return rows[:labels]


def package_alpha(labels: list[Label], level: Level, resamples: int) -> tuple[float, float, float]:
    units = np.array([unit for _, unit, _ in labels])
    table = np.zeros((units.max() + 1, len(SCALE)), dtype=int)
    np.add.at(table, (units, np.array([label for *_, label in labels])), 1)
    table = table[table.sum(axis=1) > 1]
    random, n = np.random.default_rng(0), len(table)

    def alpha(counts: np.ndarray) -> float:
        return krippendorff.alpha(
            value_counts=counts, value_domain=list(SCALE), level_of_measurement=level
        )

    alphas = [alpha(table[random.integers(0, n, n)]) for _ in range(resamples)]
    low, high = np.percentile(alphas, [2.5, 97.5])
    return alpha(table), low, high


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--labels", type=int, default=20_000)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    labels = rated(options.labels)

    def ours(level: Level) -> tuple[float | None, ...]:
        done = krippendorff_alpha(labels, level, n_bootstrap=options.resamples)
        return done.value, done.low, done.high

    print(machine())
    print(f"{len(labels)} labels of {PEOPLE} people, {options.resamples} resamples of units\n")
    print(HEADER)
    for level in LEVELS:
        ways: dict[str, Callable[[], tuple[float | None, ...]]] = {
            "vericap": partial(ours, level),
            "krippendorff": partial(package_alpha, labels, level, options.resamples),
        }
        print_rows(f"alpha, {level}", take_turns(ways, options.rounds), "vericap")


if __name__ == "__main__":
    main()
