"""Ratings: hand-worked cases, properties, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from enum import IntEnum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.intervals import wilson_interval
from metrics.ratings import CaptionMean, rating_of, summarize_ratings


class Stars(IntEnum):
    FIVE = 5


@pytest.mark.parametrize("value", range(6))
def test_a_whole_number_from_0_to_5_is_a_rating(value):
    assert rating_of(value) == value


@pytest.mark.parametrize(
    "value",
    [-1, 6, 10**400, 5.0, 5.0001, "5", "", None, True, False, [5], b"5", 5 + 0j, Decimal(5),
     Stars.FIVE, np.int64(5), np.array(5), float("nan")],
)  # fmt: skip
def test_nothing_else_is(value):
    with pytest.raises(ValueError, match="is not a rating: give a whole number from 0 to 5"):
        rating_of(value)


def test_a_long_text_is_not_repeated_in_full():
    with pytest.raises(ValueError, match="is not a rating") as refused:
        rating_of("5" * 10_000)
    assert len(str(refused.value)) < 100


# Anna rates as Ben does and one point above Emil; nobody else saw what Rita rated.
RATINGS = [
    ("anna", "a", 4),
    ("ben", "a", 4),
    ("emil", "a", 3),
    ("anna", "b", 2),
    ("emil", "b", 1),
    ("rita", "c", 5),
    ("anna", "d", 0),
]


def test_ratings_are_summed_up_by_hand():
    done = summarize_ratings(RATINGS)
    assert (done.n_ratings, done.n_captions, done.n_raters) == (7, 4, 4)
    assert done.mean == pytest.approx(19 / 7)
    assert done.sd == pytest.approx(np.std([4, 4, 3, 2, 1, 5, 0], ddof=1))
    assert done.histogram == (1, 1, 1, 1, 2, 1)
    assert done.high_share == 3 / 7
    assert (done.high_share_low, done.high_share_high) == wilson_interval(3, 7)
    assert done.captions == (
        CaptionMean("a", 11 / 3, 3),
        CaptionMean("b", 1.5, 2),
        CaptionMean("c", 5, 1),
        CaptionMean("d", 0, 1),
    )
    assert done.low < done.mean < done.high


def test_a_raters_shift_is_against_the_others_of_the_same_captions():
    anna, ben, emil, rita = summarize_ratings(RATINGS).raters
    # a: 4 against 3.5; b: 2 against 1; d: nobody else.
    assert (anna.rater, anna.n, anna.n_compared) == ("anna", 3, 2)
    assert anna.shift == pytest.approx((0.5 + 1) / 2)
    assert ben.shift == pytest.approx(0.5)
    assert emil.shift == pytest.approx((-1 - 1) / 2)
    assert (rita.shift, rita.n_compared) == (None, 0)
    assert rita.reason == "Nobody else has rated the same captions."


def test_a_rater_of_good_captions_is_above_the_mean_without_a_shift():
    done = summarize_ratings(
        [("anna", "good", 5), ("ben", "good", 5), ("ben", "bad", 0), ("emil", "bad", 0)]
    )
    assert [person.shift for person in done.raters] == [0, 0, 0]
    assert [person.above_mean for person in done.raters] == [2.5, 0, -2.5]


def test_the_interval_is_over_captions_not_ratings():
    # Twenty people, two captions: what is known of other captions is known from two.
    done = summarize_ratings([(f"{n}", c, v) for c, v in (("a", 1), ("b", 5)) for n in range(20)])
    assert (done.mean, done.low, done.high) == (3, 1, 5)


def test_the_seed_repeats_the_interval():
    rows = [("anna", caption, caption * caption % 6) for caption in range(50)]
    first, again, other = (summarize_ratings(rows, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert (first.low, first.high) != (other.low, other.high)


def test_without_ratings_nothing_is_made_up():
    done = summarize_ratings([])
    assert (done.mean, done.low, done.high, done.sd, done.high_share) == (None,) * 5
    assert (done.high_share_low, done.high_share_high) == (None, None)
    assert (done.histogram, done.captions, done.raters) == ((0,) * 6, (), ())
    assert done.reason == "There are no ratings yet."


def test_one_rating_has_no_spread():
    done = summarize_ratings([("anna", "a", 3)])
    assert (done.mean, done.low, done.high, done.sd) == (3, None, None, None)
    assert done.reason == "One unit can't be resampled, so there is no interval."


def test_a_second_rating_of_one_caption_is_refused():
    with pytest.raises(ValueError, match="'anna' rated 'a' twice"):
        summarize_ratings([("anna", "a", 3), ("anna", "a", 3)])


def test_what_is_no_rating_is_not_summed_up():
    with pytest.raises(ValueError, match=r"5\.0001 is not a rating"):
        summarize_ratings([("anna", "a", 3), ("ben", "a", 5.0001)])


shared = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 5)), st.integers(0, 5), min_size=1
)


@given(shared)
def test_two_people_shift_by_equal_amounts_away_from_each_other(table):
    both = [(person, caption, value) for (person, caption), value in table.items() if person < 2]
    shifts = {done.rater: done.shift for done in summarize_ratings(both, n_bootstrap=0).raters}
    if shifts.get(0) is not None:
        assert shifts[0] == pytest.approx(-shifts[1])


@given(shared)
def test_the_mean_lies_in_its_interval_and_the_counts_add_up(table):
    done = summarize_ratings([(*key, value) for key, value in table.items()], n_bootstrap=20)
    assert sum(done.histogram) == done.n_ratings == sum(caption.n for caption in done.captions)
    assert done.high_share_low <= done.high_share <= done.high_share_high
    assert sum(person.n * person.above_mean for person in done.raters) == pytest.approx(0, abs=1e-9)
