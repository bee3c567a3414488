"""Elo: hand-worked votes, the floor, the replays, and evalica."""

from __future__ import annotations

import math

import evalica
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.pairwise import elo
from tests.metrics.planted_votes import planted_votes

A_WINS, B_WINS = ("a", "b", "left"), ("a", "b", "right")
# After one win: 1016 and 984; the other then wins 32 (1 - 1 / (1 + 10^(32 / 400))) = 17.4695.
SWUNG_BACK = {"b": 1001.469502, "a": 998.530498}

names = st.sampled_from("abcde")
comparisons = st.lists(
    st.tuples(names, names, st.sampled_from(["left", "right", "tie", "both_bad"])).filter(
        lambda row: row[0] != row[1]
    ),
    max_size=60,
)


def replayed(votes, floor=700.0):
    """One vote after the other, as the formula is written."""
    ratings = {name: 1000.0 for row in votes for name in row[:2]}
    for left, right, outcome in votes:
        expected = 1 / (1 + 10 ** ((ratings[right] - ratings[left]) / 400))
        change = 32 * ({"left": 1, "right": 0}.get(outcome, 0.5) - expected)
        ratings[left] = max(floor, ratings[left] + change)
        ratings[right] = max(floor, ratings[right] - change)
    return ratings


@pytest.mark.parametrize(
    ("votes", "ratings"),
    [
        ([], {}),
        ([A_WINS], {"a": 1016, "b": 984}),
        ([("a", "b", "tie")], {"a": 1000, "b": 1000}),
        ([A_WINS, B_WINS], SWUNG_BACK),
        ([A_WINS, ("b", "a", "left")], SWUNG_BACK),
    ],
)
def test_hand_worked_votes(votes, ratings):
    assert elo(votes).ratings == pytest.approx(ratings, abs=1e-6)


def test_the_highest_comes_first_and_equals_by_name():
    result = elo([("c", "d", "tie"), ("a", "b", "right")])
    assert list(result.ratings) == list(result.mean) == list(result.sd) == ["b", "c", "d", "a"]


def test_both_bad_is_a_tie_or_is_left_out():
    votes = [A_WINS, ("a", "b", "both_bad")]
    assert elo(votes).ratings == elo([A_WINS, ("a", "b", "tie")]).ratings
    left_out = elo(votes, both_bad="leave_out")
    assert left_out.ratings == elo([A_WINS]).ratings
    assert (left_out.n_votes, left_out.n_left_out) == (1, 1)


def test_the_floor_holds_and_says_how_many_points_it_added():
    result = elo([A_WINS] * 200)
    assert result.ratings["b"] == 700
    assert sum(result.ratings.values()) == pytest.approx(2000 + result.from_floor)
    assert result.from_floor > 50
    assert elo([A_WINS] * 200, floor=-math.inf).from_floor == 0


def test_replays_are_mean_and_spread_of_the_orders():
    result = elo([A_WINS, B_WINS], n_replays=50)
    low, high = sorted(SWUNG_BACK.values())
    share = (result.mean["a"] - low) / (high - low)
    assert 0.2 < share < 0.8
    spread = (high - low) * math.sqrt(share * (1 - share) * 50 / 49)
    assert result.sd == pytest.approx({"a": spread, "b": spread}, abs=1e-6)


def test_the_seed_repeats_the_replays_and_the_given_order_needs_none():
    votes = planted_votes(300).comparisons
    first, again, other = (elo(votes, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.mean != other.mean
    assert first.ratings == other.ratings


@given(comparisons)
def test_it_is_the_formula_vote_by_vote(votes):
    assert elo(votes, n_replays=2).ratings == pytest.approx(replayed(votes))


@given(comparisons)
def test_points_are_neither_made_nor_lost_above_the_floor(votes):
    result = elo(votes, floor=-math.inf, n_replays=2)
    for ratings in (result.ratings, result.mean):
        assert sum(ratings.values()) == pytest.approx(1000 * len(ratings))


def test_it_agrees_with_evalica():
    votes = planted_votes(3000).comparisons
    winners = {"left": evalica.Winner.X, "right": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    lefts, rights, outcomes = zip(*votes, strict=True)
    theirs = evalica.elo(lefts, rights, [winners[outcome] for outcome in outcomes], k=32)
    assert elo(votes).ratings == pytest.approx(theirs.scores.to_dict())


@pytest.mark.parametrize(
    ("votes", "options", "words"),
    [
        ([("a", "b", "LEFT")], {}, "outcome is 'LEFT'"),
        ([("a", "b", None)], {}, "outcome is None"),
        ([("a", "a", "left")], {}, "'a' is compared with itself"),
        ([("a", "left")], {}, "a comparison is"),
        ([A_WINS], {"both_bad": "win"}, "both_bad is 'win'"),
        ([A_WINS], {"initial": 600}, "below the floor"),
        ([A_WINS], {"base": 1}, "base must be above 1"),
        ([A_WINS], {"n_replays": 1}, "at least two replays"),
    ],
)
def test_it_refuses_what_it_can_not_count(votes, options, words):
    with pytest.raises(ValueError, match=words):
        elo(votes, **options)
