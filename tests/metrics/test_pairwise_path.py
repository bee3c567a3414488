"""Ratings after so many votes: what elo says of the first ones alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.pairwise import elo, elo_path, stops
from tests.metrics.planted_votes import planted_votes


def test_each_stop_is_elo_of_the_votes_so_far():
    votes = planted_votes(n_votes=500).comparisons
    after = [1, 7, 250, 500]
    for number, ratings in zip(after, elo_path(votes, after), strict=True):
        rated = elo(votes[:number]).ratings
        assert {model: ratings[model] for model in rated} == pytest.approx(rated, abs=1e-9)
        assert {ratings[model] for model in ratings.keys() - rated} <= {1000.0}


def test_the_settings_are_those_of_elo():
    votes = [("a", "b", "left"), ("a", "b", "both_bad"), ("b", "a", "tie")] * 9
    parameters = {"initial": 800, "k": 100, "base": 2, "scale": 100, "floor": 760}
    [ratings] = elo_path(votes, [18], **parameters, both_bad="leave_out")
    assert ratings == pytest.approx(elo(votes, **parameters, both_bad="leave_out").ratings)


def test_two_votes_by_hand():
    path = elo_path([("a", "b", "left"), ("a", "b", "tie")], [0, 1, 2])
    assert path[:2] == [{"a": 1000, "b": 1000}, {"a": 1016, "b": 984}]
    # E of a is 1 / (1 + 10^(-32 / 400)) = 0.54592..., so the tie takes 32 · 0.04592 points.
    assert path[2]["a"] == pytest.approx(1014.5305, abs=1e-4)


@pytest.mark.parametrize("after", [[2, 1], [1, 1], [3], [-1, 1]])
def test_it_looks_at_votes_that_there_are(after):
    with pytest.raises(ValueError, match="look after 0 to 2 votes, in rising order"):
        elo_path([("a", "b", "left")] * 2, after)


def test_no_vote_has_no_path():
    assert (stops(0, 60), elo_path([], [])) == ([], [])


@given(st.integers(1, 5000), st.integers(1, 100))
def test_the_stops_are_few_even_and_end_with_the_last_vote(n_votes, most):
    numbers = stops(n_votes, most)
    steps = {later - earlier for earlier, later in zip([0, *numbers], numbers, strict=False)}
    assert len(numbers) <= most
    assert numbers[-1] == n_votes
    assert len(steps) <= 2
    assert max(steps) == numbers[0]
