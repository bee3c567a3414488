"""How the interval of an estimate narrows with the number of answers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.intervals import ratio_interval
from metrics.pairwise import stops

STEPS = 20
N_BOOTSTRAP = 1000
SEED = 0


@dataclass(frozen=True)
class Step:
    """The estimate after `n` answers, with its interval; None if it is missing."""

    n: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Course:
    """An estimate after more and more answers. `method`: each interval is for a number of answers
    that was set in advance. `population`: how many answers there could be, None if without bounds.
    """

    steps: Sequence[Step]
    method: str = "fixed"
    population: int | None = None


def mean_course(values: Sequence[float]) -> Course:
    """Return the course of the mean of these values, in order."""
    steps = []
    for n in stops(len(values), STEPS):
        sums = np.asarray(values[:n], dtype=float)
        low, high, _ = ratio_interval(sums, np.ones(n), N_BOOTSTRAP, SEED)
        steps.append(Step(n, float(sums.mean()), low, high))
    return Course(steps)
