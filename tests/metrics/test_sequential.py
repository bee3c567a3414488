"""Intervals that hold at all times: by hand, against a plain loop over the paper's formulas, and
their coverage on seeded data. `bench/RESULTS.md` has what they cost."""

from __future__ import annotations

from itertools import pairwise
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.intervals import wilson_interval
from metrics.sequential import (
    level_of_each_look,
    mean_sequence,
    planned_looks,
    units_for_width,
    widening,
)
from metrics.sequential.mean import log_capital
from metrics.threshold import estimate_threshold

RUNS, LENGTH, ERROR = 400, 200, 0.05
# 20 misses of 400 are expected at most; 34 or more have a probability below 0.1 % at 5 %.
MAX_MISSED = 33


def plain_capital(answers, candidate, population, confidence):
    """Return the hedged capital after each answer, as Waudby-Smith and Ramdas write it: a loop over
    answers, with their estimates of mean and variance computed from the answers so far."""
    alpha, up, down, capital = 1 - confidence, 1.0, 1.0, []
    variance = 0.25
    for t, answer in enumerate(answers, 1):
        seen = answers[: t - 1]
        m = candidate
        if population is not None:
            m = (population * candidate - sum(seen)) / (population - t + 1)
            if population * candidate < sum(answers[:t]):
                return [*capital, *[float("inf")] * (len(answers) - t + 1)]
        bet = sqrt(2 * log(2 / alpha) / (variance * t * log(1 + t)))
        up *= 1 + min(bet, 0.5 / m) * (answer - m)
        down *= 1 - min(bet, 0.5 / (1 - m)) * (answer - m)
        capital.append(max(up, down) / 2)
        means = [(0.5 + sum(answers[:i])) / (i + 1) for i in range(1, t + 1)]
        squares = sum((x - mean) ** 2 for x, mean in zip(answers[:t], means, strict=True))
        variance = (0.25 + squares) / (t + 1)
    return capital


@pytest.mark.parametrize("population", [None, 60])
@pytest.mark.parametrize("candidate", [0.35, 0.6])
def test_the_capital_is_that_of_a_plain_loop(candidate, population):
    answers = np.random.default_rng(3).beta(4, 3, 40)
    blocks = log_capital(answers, np.array([candidate]), population, 0.9)
    capital = np.concatenate([block for _, block in blocks])[:, 0]
    assert np.exp(capital) == pytest.approx(
        plain_capital(answers.tolist(), candidate, population, 0.9)
    )


def test_the_first_answer_by_hand():
    # The bet would be sqrt(2 ln 40 / (ln 2 / 4)) = 6.5. If the mean were 1/4, the gambler on higher
    # answers may bet half of 4, and wins 2 * 3/4: the capital is 5/2, and its half is hedged.
    [(first, capital)] = log_capital(np.array([1.0]), np.array([0.25]), None, 0.95)
    assert first == 0
    assert np.exp(capital) == pytest.approx(1.25)
    # One answer rejects nothing.
    assert (mean_sequence([1.0]).low, mean_sequence([1.0]).high) == ((0.0,), (1.0,))


def misses(draw, truth, population=None):
    """Return how many of the seeded runs ever reject the true mean."""
    random, limit, missed = np.random.default_rng(17), log(1 / ERROR), 0
    for _ in range(RUNS):
        blocks = log_capital(draw(random), np.array([truth]), population, 1 - ERROR)
        missed += any((block >= limit).any() for _, block in blocks)
    return missed


@pytest.mark.parametrize("share", [0.5, 0.9, 0.98])
def test_intervals_of_shares_hold_at_all_times(share):
    assert misses(lambda random: (random.random(LENGTH) < share) * 1.0, share) <= MAX_MISSED


def test_intervals_of_ratings_hold_at_all_times():
    levels = np.array([0.02, 0.03, 0.05, 0.15, 0.4, 0.35])
    truth = float(levels @ np.arange(6)) / 5
    assert misses(lambda random: random.choice(6, LENGTH, p=levels) / 5, truth) <= MAX_MISSED


def test_intervals_of_a_small_population_hold_at_all_times():
    units = np.repeat([0.0, 0.4, 1.0], [20, 60, 170])
    missed = misses(lambda random: random.permutation(units), float(units.mean()), len(units))
    assert missed <= MAX_MISSED


def test_watching_a_usual_interval_misses_too_often():
    """What confidence sequences are for: the same stop by Wilson's interval."""
    random, missed = np.random.default_rng(17), 0
    for _ in range(RUNS):
        right = np.cumsum(random.random(LENGTH) < 0.9)
        ends = [wilson_interval(int(right[n - 1]), n) for n in range(10, LENGTH + 1, 5)]
        missed += any(not low <= 0.9 <= high for low, high in ends)
    assert missed > 2 * ERROR * RUNS


def test_all_units_leave_no_width_but_that_of_the_candidates():
    units = np.random.default_rng(1).integers(0, 6, 50).astype(float)
    sequence = mean_sequence(units, (0, 5), population=50)
    assert sequence.low[-1] <= units.mean() <= sequence.high[-1]
    assert sequence.high[-1] - sequence.low[-1] <= 5 * 0.0041


@given(st.lists(st.integers(0, 5), min_size=1, max_size=60))
def test_an_interval_never_grows_and_stays_on_the_scale(values):
    sequence = mean_sequence(values, (0, 5))
    ends = list(zip(sequence.low, sequence.high, strict=True))
    assert all(0 <= low <= high <= 5 for low, high in ends)
    if not sequence.reason:
        widths = [high - low for low, high in ends]
        assert all(later <= earlier + 1e-9 for earlier, later in pairwise(widths))


def test_looks_at_some_numbers_are_those_of_all():
    values = np.random.default_rng(2).integers(0, 6, 300)
    at_every_number, at_some_numbers = (
        mean_sequence(values, (0, 5)),
        mean_sequence(values, (0, 5), after=[7, 299, 300]),
    )
    assert at_some_numbers.low == tuple(at_every_number.low[n - 1] for n in (7, 299, 300))
    assert at_some_numbers.mean == tuple(at_every_number.mean[n - 1] for n in (7, 299, 300))


def test_answers_that_drift_too_far_leave_no_interval():
    sequence = mean_sequence([0.0] * 200 + [1.0] * 200)
    assert sequence.reason.startswith("No mean is left that fits")


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([6], {"scale": (0, 5)}, "from 0 to 5"),
        ([1], {"scale": (1, 1)}, "no length"),
        ([1, 1], {"population": 1}, "population of 1"),
        ([1], {"confidence": 1.0}, "between 0 and 1"),
        ([1, 0], {"after": [2, 1]}, "rising"),
    ],
)
def test_what_has_no_meaning_is_refused(values, options, message):
    with pytest.raises(ValueError, match=message):
        mean_sequence(values, **options)


def test_the_mixture_is_robbins_boundary():
    # sqrt((n + 1 / rho²) ln((n rho² + 1) / alpha²)) over 1.96 sqrt(n), with rho for 200 votes.
    squared = (-2 * log(0.05) + log(1 - 2 * log(0.05))) / 200
    n = 90
    bound = sqrt((n + 1 / squared) * log((n * squared + 1) / 0.05**2))
    assert widening(n, 200) == pytest.approx(bound / sqrt(n) / 1.959963984540054)
    with pytest.raises(ValueError, match="planned votes"):
        widening(0, 10)


def test_a_mixture_holds_at_all_times():
    random, missed = np.random.default_rng(17), 0
    numbers = np.arange(40, 501)
    bounds = np.array([widening(n, 200) for n in numbers]) * 1.959963984540054
    for _ in range(RUNS):
        shares = (np.cumsum(random.random(500) < 0.6) / np.arange(1, 501))[39:]
        errors = np.sqrt(shares * (1 - shares) / numbers)
        missed += bool((abs(shares - 0.6) > bounds * errors).any())
    assert missed <= MAX_MISSED


def test_looks_are_spread_evenly_up_to_the_planned_size():
    looks = planned_looks(500, 5)
    assert looks.after == (100, 200, 300, 400, 500)
    assert (looks.reached(99), looks.reached(250), looks.reached(500)) == (None, 200, 500)
    assert planned_looks(50, 5, least=20).after == (20, 30, 40, 50)
    assert level_of_each_look(0.08, 4) == 0.02
    with pytest.raises(ValueError, match="plan 1 to 20 looks"):
        planned_looks(500, 0)
    with pytest.raises(ValueError, match="fewer than"):
        planned_looks(10, 5, least=20)


def test_the_interval_of_a_look_is_wider():
    random = np.random.default_rng(5)
    scores = random.uniform(0, 0.5, 120)
    errors = random.poisson(np.where(scores < 0.2, 2.0, 0.5))
    once, often = (estimate_threshold(scores, errors, looks=looks) for looks in (1, 5))
    assert once.threshold == often.threshold
    assert often.low <= once.low < once.high <= often.high
    assert often.high - often.low > once.high - once.low
    with pytest.raises(ValueError, match="at least one look"):
        estimate_threshold(scores, errors, looks=0)


def test_units_for_a_width():
    assert units_for_width(0.2, 100, 0.1) == 400
    assert units_for_width(0.1, 100, 0.2) == 100
    # 1 / n - 1 / 1000 = (1 / 100 - 1 / 1000) / 4, so n is 308 rather than 400.
    assert units_for_width(0.2, 100, 0.1, 1000) == 308
    assert units_for_width(0.2, 100, 0.0001, 1000) == 1000
    assert units_for_width(0.2, 0, 0.1) is None
    assert units_for_width(0.2, 100, 0.1, 100) is None
    with pytest.raises(ValueError, match="above 0"):
        units_for_width(0.2, 100, 0)
