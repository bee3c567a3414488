"""Which captions a study draws."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.threshold.sample import stratified, stratum_of


def test_each_stratum_gives_as_many():
    scores = [n / 100 for n in range(100)]
    drawn = stratified(scores, 20, 5, seed=1)
    assert Counter(stratum for _, stratum in drawn) == {0: 4, 1: 4, 2: 4, 3: 4, 4: 4}
    assert {stratum_of(scores[place], 0, 0.99, 5) == stratum for place, stratum in drawn} == {True}


def test_what_a_stratum_lacks_is_drawn_from_the_others():
    scores = [0.0, *[0.5 + n / 1000 for n in range(50)], 1.0]
    drawn = stratified(scores, 10, 4, seed=1)
    assert Counter(stratum for _, stratum in drawn) == {0: 1, 2: 8, 3: 1}


def test_the_fullest_stratum_gives_what_is_left_over():
    drawn = stratified([0, 0, 0, 1, 1], 3, 2, seed=1)
    assert Counter(stratum for _, stratum in drawn) == {0: 2, 1: 1}


def test_the_seed_decides_which_and_in_which_order():
    scores = [n / 500 for n in range(500)]
    assert stratified(scores, 50, 10, seed=3) == stratified(scores, 50, 10, seed=3)
    assert stratified(scores, 50, 10, seed=3) != stratified(scores, 50, 10, seed=4)
    drawn = [scores[place] for place, _ in stratified(scores, 50, 10, seed=3)]
    assert drawn != sorted(drawn)


def test_equal_scores_are_one_stratum():
    assert {stratum for _, stratum in stratified([0.3] * 9, 4, 5, seed=0)} == {0}


def test_more_than_there_are_is_refused():
    with pytest.raises(ValueError, match="3 can't be drawn from 2"):
        stratified([0.1, 0.2], 3, 2, seed=0)


@given(
    st.lists(st.floats(-1, 1), min_size=1, max_size=60),
    st.integers(1, 12),
    st.integers(0, 99),
    st.data(),
)
def test_as_many_as_asked_for_and_none_twice(scores, strata, seed, data):
    size = data.draw(st.integers(0, len(scores)))
    drawn = stratified(scores, size, strata, seed)
    places = [place for place, _ in drawn]
    assert len(places) == len(set(places)) == size
    taken = Counter(stratum for _, stratum in drawn)
    sizes = Counter(stratum_of(score, min(scores), max(scores), strata) for score in scores)
    most = max(taken.values(), default=0)
    # No stratum gives less than another but for want of captions.
    assert all(taken[s] >= min(sizes[s], most - 1) for s in sizes)
