"""When the rest of some work will be done."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.forecast import LEVEL, MAX_DAYS, MIN_DAYS, Forecast, forecast_finish, latest


def test_equal_days_give_one_day():
    assert forecast_finish(50, [10] * 6) == Forecast(
        left=50, days=6, mean=10.0, sd=0.0, expected=5.0, low=5.0, high=5.0
    )


def test_a_case_by_hand():
    """Days of 8, 12, 8, 12, 10: m = 10, s = 2, n = 5, t = 1.5332, t^2 s^2 = 9.4028.

    (100 - 10 d)^2 = 9.4028 d + 1.88056 d^2, so 98.11944 d^2 - 2009.4028 d + 10000 = 0, whose roots
    are 8.5271 and 11.9520.
    """
    forecast = forecast_finish(100, [8, 12, 8, 12, 10])
    assert (forecast.mean, forecast.sd, forecast.expected) == (10, 2, 10)
    assert forecast.low == pytest.approx(8.5271, abs=2e-4)
    assert forecast.high == pytest.approx(11.9520, abs=2e-4)


@pytest.mark.parametrize(
    ("days", "reason"),
    [
        ([], "No finished day with work yet."),
        ([0, 0, 0, 0, 0, 0, 9], "Only 1 finished day of work; 5 are needed."),
        ([0, 9, 9, 9, 9], "Only 4 finished days of work; 5 are needed."),
        ([9, *[0] * 14], "Nothing was done in the last 14 days."),
    ],
)
def test_it_refuses_with_a_reason(days, reason):
    forecast = forecast_finish(10, days)
    assert (forecast.expected, forecast.low, forecast.high) == (None, None, None)
    assert forecast.reason == reason


def test_nothing_left_is_done_now():
    assert forecast_finish(0, []) == Forecast(0, 0, expected=0.0, low=0.0, high=0.0)


def test_days_that_differ_much_have_no_upper_bound():
    forecast = forecast_finish(1000, [1, 0, 0, 0, 0, 200])
    assert forecast.high is None
    assert 0 < forecast.low < forecast.expected


def test_a_negative_count_raises():
    with pytest.raises(ValueError, match="never negative"):
        forecast_finish(3, [1, 2, -1, 4, 5])


@given(
    left=st.integers(1, 10**6),
    days=st.lists(st.integers(0, 10**4), min_size=MIN_DAYS, max_size=40),
)
def test_the_interval_holds_the_expected_day(left, days):
    forecast = forecast_finish(left, days)
    if forecast.reason:
        assert forecast.expected is None
        return
    assert forecast.days <= MAX_DAYS
    assert 0 < forecast.low <= forecast.expected * (1 + 1e-9)
    assert forecast.high is None or forecast.high >= forecast.expected * (1 - 1e-9)
    # Both ends miss the work that is left by t standard errors, counted in days of work.
    for end in (forecast.low, forecast.high):
        if end is not None and forecast.sd and forecast.expected == left / forecast.mean:
            error = forecast.sd * math.sqrt(end + end**2 / forecast.days)
            assert 1.35 <= abs(left - end * forecast.mean) / error * (1 + 1e-6) <= 1.534


def test_the_interval_covers_as_often_as_it_says():
    """4,000 times: ten days of work are seen, then days go by until 400 units are done, of which
    each day does its own at an even pace."""
    random = np.random.default_rng(0)
    covered = 0
    for _ in range(4000):
        seen = random.poisson(12, 10) + random.integers(0, 17, 10)
        forecast = forecast_finish(400, seen.tolist())
        done = (random.poisson(12, 200) + random.integers(0, 17, 200)).cumsum()
        covered += forecast.low <= np.interp(400, done, np.arange(1, 201)) <= forecast.high
    assert covered / 4000 == pytest.approx(LEVEL, abs=0.02)


def test_free_days_of_the_week_dont_widen_the_interval():
    """The last two working weeks ended on Friday, and today is Sunday."""
    plain = forecast_finish(60, [8, 12, 8, 12, 10] * 2)
    week = [8, 12, 8, 12, 10, 0, 0]
    on_sunday = forecast_finish(60, [*week, *week[:-1]])
    assert (on_sunday.days, on_sunday.mean, on_sunday.sd) == (10, 10, plain.sd)
    # Six days of work: today is free, then a week, and Monday.
    assert (plain.expected, on_sunday.expected) == (6, 1 + 7 + 1)
    assert forecast_finish(50, [*week, *week[:-1]]).expected == 1 + 5
    # Nobody knows from eleven days which days are free.
    assert forecast_finish(60, [*week, *week[:4]]).days == 11


def test_with_free_weekends_the_interval_covers_as_often_as_it_says():
    random = np.random.default_rng(0)
    is_weekend = np.arange(2 * 7) % 7 >= 5
    covered = 0
    for first in range(2000):
        free = np.roll(is_weekend, first % 7)
        seen = np.where(free, 0, random.poisson(12, 14) + random.integers(0, 17, 14))
        forecast = forecast_finish(400, seen.tolist())
        coming = random.poisson(12, 140) + random.integers(0, 17, 140)
        done = np.where(np.tile(free, 10), 0, coming).cumsum()
        covered += forecast.low <= np.interp(400, done, np.arange(1, 141)) <= forecast.high
    assert covered / 2000 == pytest.approx(LEVEL, abs=0.03)


def test_work_ends_no_sooner_than_the_work_that_it_waits_for():
    slow, quick = forecast_finish(30, [1, 2, 1, 2, 1, 2]), forecast_finish(4, [3, 5, 4, 4, 3, 5])
    held = latest(quick, slow)
    assert (held.left, held.expected, held.low, held.high) == (
        4, slow.expected, slow.low, slow.high,
    )  # fmt: skip
    assert latest(slow, quick) == slow


def test_the_end_is_unknown_where_that_of_the_work_before_is():
    own, before = forecast_finish(4, [2] * 6), forecast_finish(4, [2])
    assert latest(own, before).low is None
    assert latest(own, before).reason == before.reason
