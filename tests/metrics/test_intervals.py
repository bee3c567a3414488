"""Intervals: hand-worked cases, and scipy's where it has the same."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from metrics.intervals import percentile_interval, resampled, tally, wilson_interval


@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
       st.floats(0.5, 0.999))  # fmt: skip
def test_wilsons_interval_is_scipys(trials, confidence):
    successes, n = trials
    expected = binomtest(successes, n).proportion_ci(confidence, method="wilson")
    interval = wilson_interval(successes, n, confidence)
    assert interval == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilsons_interval_by_hand():
    # No success in n: 0 to z² / (n + z²).
    z = NormalDist().inv_cdf(0.975)
    assert wilson_interval(0, 10) == (0, pytest.approx(z**2 / (10 + z**2)))
    assert wilson_interval(10, 10) == (pytest.approx(10 / (10 + z**2)), 1)


def test_no_trial_has_no_interval():
    assert wilson_interval(0, 0) is None


@pytest.mark.parametrize(
    ("successes", "n", "confidence"), [(-1, 5, 0.95), (6, 5, 0.95), (1, 5, 0), (1, 5, 1)]
)
def test_what_is_no_share_is_refused(successes, n, confidence):
    with pytest.raises(ValueError, match=r"successes|confidence"):
        wilson_interval(successes, n, confidence)


def test_each_resample_draws_as_many_units_as_there_are():
    drawn = resampled(lambda times: times.sum(axis=1), 9, 100, seed=0)
    assert drawn.tolist() == [9] * 100


def test_resamples_do_not_depend_on_how_many_fit_into_memory():
    values = np.arange(9.0)
    wide, narrow = (
        resampled(lambda times: times @ values, 9, 100, seed=0, width=width) for width in (1, 10**9)
    )
    assert wide.tolist() == narrow.tolist()


def test_the_interval_of_a_mean_is_that_of_its_standard_error():
    values = np.random.default_rng(1).normal(size=400)
    means = resampled(lambda times: times @ values / 400, 400, 2000, seed=0)
    low, high, reason = percentile_interval(means, 400, 2000)
    half = 1.96 * values.std() / 20
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.01)
    assert reason == ""


def test_resamples_without_a_value_are_left_out():
    resamples = resampled(lambda times: np.where(times[:, 0] > 0, 1.0, np.nan), 2, 100, seed=0)
    assert 50 < len(resamples) < 100


@pytest.mark.parametrize(
    ("n_defined", "n_units", "n_bootstrap", "reason"),
    [
        (100, 1, 100, "One unit can't be resampled, so there is no interval."),
        (0, 9, 0, "No resamples were asked for, so there is no interval."),
        (49, 9, 100, "Only 49 of 100 resamples have a value, too few for an interval."),
    ],
)
def test_without_an_interval_it_says_why(n_defined, n_units, n_bootstrap, reason):
    interval = percentile_interval(np.zeros(n_defined), n_units, n_bootstrap)
    assert interval == (None, None, reason)


def test_half_of_the_resamples_are_enough():
    assert percentile_interval(np.ones(50), 9, 100) == (1, 1, "")


def test_less_than_no_resample_is_refused():
    with pytest.raises(ValueError, match="n_bootstrap is -1"):
        resampled(lambda times: times[:, 0], 2, -1, seed=0)


def test_a_tally_adds_up_each_row():
    weights = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.5]])
    assert tally(weights, np.array([2, 0, 2]), 4).tolist() == [[2, 0, 4, 0], [0, 0, 0.5, 0]]
