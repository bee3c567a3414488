"""How the interval of an estimate narrows with the number of answers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.intervals import ratio_interval, wilson_interval
from metrics.pairwise import stops
from metrics.sequential import mean_sequence, units_for_width

FIXED, BETTING, MIXTURE, LOOKS = "fixed", "betting", "mixture", "looks"
# A signature's name of the stopping method, and its meaning.
METHODS = {
    FIXED: "for a number of answers that was set in advance",
    BETTING: "a confidence sequence by betting, which holds however often you look",
    MIXTURE: "a confidence sequence by Robbins’ mixture, which holds however often you look",
    LOOKS: "one of five looks planned in advance, corrected so that all of them hold",
}
N_LOOKS = 5
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

    @property
    def width(self) -> float | None:
        return None if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True)
class Course:
    """An estimate after more and more answers. `method`: of METHODS. `population`: how many answers
    there could be, None if without bounds.
    """

    steps: Sequence[Step]
    method: str
    population: int | None = None

    @property
    def last(self) -> Step | None:
        return self.steps[-1] if self.steps else None

    @property
    def width(self) -> float | None:
        return self.last.width if self.last else None

    def needed(self, width: float) -> int | None:
        """Return after about how many answers in all the interval is at most so wide."""
        if self.last is None or self.width is None:
            return None
        return units_for_width(self.width, self.last.n, width, self.population)


def share_course(answers: Sequence[bool], *, population: int | None = None) -> Course:
    """Return the course of the share of right answers, for a number that was set in advance."""
    steps = []
    for n in stops(len(answers), STEPS):
        right = sum(answers[:n])
        low, high = wilson_interval(right, n) or (None, None)
        steps.append(Step(n, right / n, low, high))
    return Course(steps, FIXED, population)


def mean_course(
    values: Sequence[float],
    scale: tuple[float, float],
    *,
    is_sequential: bool,
    population: int | None = None,
) -> Course:
    """Return the course of the mean of these values, in order."""
    after = stops(len(values), STEPS)
    if is_sequential:
        sequence = mean_sequence(values, scale, population=population, after=after)
        steps = [
            Step(*step)
            for step in zip(sequence.after, sequence.mean, sequence.low, sequence.high, strict=True)
        ]
        return Course(steps, BETTING, population)
    steps = []
    for n in after:
        sums = np.asarray(values[:n], dtype=float)
        low, high, _ = ratio_interval(sums, np.ones(n), N_BOOTSTRAP, SEED)
        steps.append(Step(n, float(sums.mean()), low, high))
    return Course(steps, FIXED, population)
