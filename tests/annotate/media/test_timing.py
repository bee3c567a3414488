from fractions import Fraction

import pytest

from annotate.media.timing import (
    COMMON_RATES,
    find_constant_rate,
    playback_rate,
    seconds_from_first,
)


@pytest.mark.parametrize("rate", [*COMMON_RATES, Fraction(15), Fraction(25, 2), Fraction(120)])
@pytest.mark.parametrize("frames", [2, 40, 5000])
def test_a_regular_grid_is_its_own_rate_even_in_rounded_milliseconds(rate, frames):
    times = [Fraction(round(1000 * number / rate), 1000) for number in range(frames)]
    assert find_constant_rate(times, rate) == rate


def test_a_long_clip_overrules_what_the_header_says():
    times = [Fraction(number, 30) for number in range(3000)]
    assert find_constant_rate(times, Fraction(30000, 1001)) == 30


def test_one_frame_has_the_declared_rate():
    assert find_constant_rate([Fraction(7)], Fraction(25)) == 25
    assert find_constant_rate([Fraction(7)], None) is None


def test_a_dropped_frame_makes_the_rate_variable():
    times = [Fraction(number, 30) for number in range(60) if number != 20]
    assert find_constant_rate(times, Fraction(30)) is None


@pytest.mark.parametrize("tick", [Fraction(1, 90000), Fraction(1001, 30000), Fraction(1, 10**9)])
def test_seconds_are_those_of_exact_fractions(tick):
    start = Fraction(-7, 3)
    times = [start + (number * 7919 + number % 3) * tick for number in range(500)]
    assert seconds_from_first(times) == [float(time - start) for time in times]


def test_frames_at_one_moment_have_no_rate():
    assert find_constant_rate([Fraction(0)] * 9, None) is None


def test_a_camera_that_drops_frames_plays_at_its_own_rate():
    times = [Fraction(number, 30) for number in range(90) if number % 9]
    assert playback_rate(times, Fraction(80, 3)) == 30


@pytest.mark.parametrize(
    ("average", "rate"),
    [
        (Fraction(2950, 100), Fraction(30000, 1001)),
        (Fraction(3001, 100), Fraction(30)),
        (Fraction(2397, 100), Fraction(24000, 1001)),
        (Fraction(1213, 100), Fraction(121, 10)),
        (Fraction(113), Fraction(113)),
    ],
)
def test_without_a_usual_gap_the_average_decides(average, rate):
    scattered = [Fraction(number**3) for number in range(9)]
    assert playback_rate(scattered, average) == rate
