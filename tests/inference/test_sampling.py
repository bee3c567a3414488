"""Which frames of a clip are chosen."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.sampling import Sampling, by_seconds, every_nth, middle, pairs

FPS = Fraction(25)
LENGTHS = st.integers(1, 3000)
SAMPLINGS = st.one_of(
    st.builds(Sampling, st.just("middle"), count=st.integers(1, 100)),
    st.builds(Sampling, st.just("every"), step=st.integers(1, 100)),
    st.builds(Sampling, st.just("pairs"), count=st.integers(1, 100), step=st.integers(1, 9)),
    st.builds(Sampling, st.just("seconds"), low=st.integers(1, 8), high=st.integers(8, 64)),
)


def test_the_middle_of_each_part_by_hand():
    # Edges 0 2 5 7 10: parts 0-1, 2-4, 5-6, 7-9.
    assert middle(10, 4) == (0, 3, 5, 8)


def test_the_middle_of_an_odd_number_of_frames_is_its_middle():
    assert middle(9, 1) == (4,)


def test_a_clip_shorter_than_the_count_repeats_its_last_frame():
    assert middle(3, 5) == (0, 1, 2, 2, 2)


@given(length=LENGTHS, count=st.integers(1, 100))
def test_middles_agree_with_the_formula_in_numpy(length, count):
    edges = np.linspace(0, length, min(count, length) + 1).astype(int)
    expected = list((edges[:-1] + edges[1:] - 1) // 2)
    expected += [expected[-1]] * (count - len(expected))
    assert list(middle(length, count)) == expected


def test_every_nth_begins_with_the_first_frame():
    assert every_nth(10, 4) == (0, 4, 8)
    assert every_nth(9, 4) == (0, 4, 8)
    assert every_nth(8, 4) == (0, 4)


@pytest.mark.parametrize(
    ("seconds", "count"), [(1, 8), (8.96, 8), (9, 9), (20.5, 20), (64, 64), (500, 64)]
)
def test_a_frame_a_second_within_its_bounds(seconds, count):
    length = int(seconds * 25)
    assert by_seconds(length, FPS) == middle(length, count)


def test_whole_seconds_are_counted_exactly():
    # 300 frames at 30000/1001 are 10.01 s; in floats of 29.97 they would be 10.00.
    assert len(by_seconds(300, Fraction(30000, 1001), 1)) == 10
    assert len(by_seconds(299, Fraction(30000, 1001), 1)) == 9


def test_pairs_lie_evenly_and_stay_in_their_part():
    assert pairs(20, 2, 3) == (0, 3, 10, 13)
    assert pairs(4, 2, 3) == (0, 1, 2, 3)
    assert pairs(3, 8, 2) == (0, 1, 2)


@given(sampling=SAMPLINGS, length=LENGTHS)
def test_every_number_is_in_the_clip_and_none_falls(sampling, length):
    numbers = sampling.numbers(length, FPS)
    assert numbers
    assert list(numbers) == sorted(numbers)
    assert 0 <= numbers[0] <= numbers[-1] < length


@given(sampling=SAMPLINGS)
def test_a_sampling_is_read_back_from_what_is_stored(sampling):
    assert Sampling.parse(sampling.as_dict()) == sampling


@pytest.mark.parametrize(
    ("sampling", "stored", "text"),
    [
        (Sampling("middle", count=32), {"kind": "middle", "count": 32}, "32 frames, evenly spread"),
        (Sampling("middle", count=1), {"kind": "middle", "count": 1}, "1 frame, evenly spread"),
        (Sampling("every", step=1), {"kind": "every", "step": 1}, "every frame"),
        (Sampling("every", step=2), {"kind": "every", "step": 2}, "every 2nd frame"),
        (Sampling("every", step=12), {"kind": "every", "step": 12}, "every 12th frame"),
        (Sampling("every", step=23), {"kind": "every", "step": 23}, "every 23rd frame"),
        (
            Sampling("seconds", low=8, high=64),
            {"kind": "seconds", "low": 8, "high": 64},
            "a frame a second, 8 to 64",
        ),
        (
            Sampling("pairs", count=48, step=1),
            {"kind": "pairs", "count": 48, "step": 1},
            "48 pairs, 1 frame apart",
        ),
    ],
)
def test_a_sampling_in_storage_and_in_words(sampling, stored, text):
    assert sampling.as_dict() == stored
    assert str(sampling) == text


def test_the_bounds_of_a_frame_a_second_may_be_left_out():
    assert Sampling.parse({"kind": "seconds"}) == Sampling("seconds", low=8, high=64)


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        (
            {"kind": "random", "count": 3},
            "Sampling 'random' is unknown. Choose 'middle', 'every', 'seconds' or 'pairs'.",
        ),
        ({"kind": ["middle"]}, "Sampling ['middle'] is unknown. Choose "),
        ({"count": 3}, "The sampling names no 'kind'. Choose "),
        (
            {"kind": "middle"},
            "Sampling 'middle' needs 'count', a whole number from 1, not None.",
        ),
        ({"kind": "middle", "count": 0}, "a whole number from 1, not 0."),
        ({"kind": "middle", "count": 2.5}, "a whole number from 1, not 2.5."),
        ({"kind": "every", "step": True}, "a whole number from 1, not True."),
        ({"kind": "every", "step": 2, "count": 3}, "Sampling 'every' takes no 'count'. Remove it."),
        ({"kind": "every", "stride": 2}, "A sampling has no 'stride'. Remove it."),
        ({"kind": "seconds", "low": 9, "high": 8}, "'low' is 9 but 'high' only 8. Swap them."),
        ("middle", "A sampling is written like {"),
    ],
)
def test_what_is_no_sampling_says_why(stored, message):
    with pytest.raises(ValueError) as refused:
        Sampling.parse(stored)
    assert message in str(refused.value)


def test_a_clip_without_frames_is_refused():
    with pytest.raises(ValueError, match=r"A clip has at least 1 frame, not 0\."):
        Sampling("every", step=1).numbers(0, FPS)
