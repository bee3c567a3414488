from fractions import Fraction

import pytest

from annotate.media.timing import (
    COMMON_RATES,
    find_constant_rate,
    place_frames,
    playback_rate,
    read_clock,
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


def test_jitter_of_a_third_of_a_frame_makes_the_rate_variable():
    """24 frames a second without every third have 16 on average."""
    times = [Fraction(number, 24) for number in range(90) if number % 3 != 2]
    assert find_constant_rate(times, Fraction(16)) is None
    assert len(set(place_frames(times, playback_rate(times, Fraction(16))))) == len(times)


TICK = Fraction(1, 25)


@pytest.mark.parametrize(
    ("stamps", "ticks", "moves"),
    [
        ([(3, 3), (4, 4), (5, None)], [0, 1, 2], [0]),
        # Pictures in the order of display that have the stamps of another order.
        ([(1, 2), (2, 3), (4, 4), (3, 5), (7, 6), (5, None)], [0, 1, 2, 3, 4, 5], [0]),
        ([(None, None), (None, None), (None, None)], [0, 1, 2], [0]),
        ([(None, None), (None, None), (9, 9), (10, 10)], [0, 1, 2, 3], [0]),
        ([(0, 0), (1, 1), (1, 1), (3, 3)], [0, 1, 1, 3], [0]),
        ([(50, 50), (51, 51), (52, 52), (0, 0), (1, 1)], [0, 1, 2, 3, 4], [0, 53]),
        ([(50, 50), (51, 51), (5000, 50), (5001, 5001)], [0, 1, 2, 3], [0, 52 - 5000]),
    ],
    ids=[
        "the last is missing",
        "out of order",
        "none",
        "the first are missing",
        "twice the same",
        "starts again",
        "jumps",
    ],
)
def test_times_never_run_backwards(stamps, ticks, moves):
    clock = read_clock(stamps, TICK, Fraction(25), may_jump=True)
    assert [time / TICK for time in clock.times] == ticks
    assert [move / TICK for move in clock.moves] == moves


def test_a_long_still_of_a_screen_recording_is_no_jump():
    clock = read_clock([(0, 0), (1, 1), (900, 900)], TICK, None, may_jump=False)
    assert (clock.times[-1], clock.moves) == (36, [0])


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
