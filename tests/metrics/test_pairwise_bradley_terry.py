"""Bradley-Terry: hand-worked votes, planted strengths, evalica, and what has no answer."""

from __future__ import annotations

import math
import warnings

import evalica
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from metrics.pairwise import bradley_terry, votes_to_separate
from tests.metrics.planted_votes import planted_votes
from tests.metrics.test_pairwise_elo import comparisons

OTHER_SIDE = {"left": "right", "right": "left", "tie": "tie", "both_bad": "both_bad"}


def votes(**times):
    """votes(ab=3, bc=1, tie_ab=2): a beat b three times, b beat c once, a and b tied twice."""
    return [
        (name[-2], name[-1], "tie" if name.startswith("tie") else "left")
        for name, number in times.items()
        for _ in range(number)
    ]


def test_two_models_by_hand():
    # Odds of 3 to 1; the variance of the log-odds is 1/3 + 1/1.
    result = bradley_terry(votes(ab=3, ba=1))
    half = 400 * math.log10(3) / 2
    assert result.ratings == pytest.approx({"a": 1000 + half, "b": 1000 - half})
    width = 1.959964 * math.sqrt(4 / 3) / 2 * 400 / math.log(10)
    assert result.high["a"] - result.ratings["a"] == pytest.approx(width)
    assert result.ratings["b"] - result.low["b"] == pytest.approx(width)
    assert (result.ranks, result.reason, result.tie) == ({"a": 1, "b": 1}, "", 0)


def test_two_models_with_ties_by_hand():
    # Davidson: the odds are wins to losses, and v is ties / sqrt(wins * losses).
    result = bradley_terry(votes(ab=9, ba=4, tie_ab=3))
    assert result.ratings["a"] - result.ratings["b"] == pytest.approx(400 * math.log10(9 / 4))
    assert result.tie == pytest.approx(3 / 6)
    assert (result.n_votes, result.n_ties) == (16, 3)


def test_the_fit_reaches_odds_of_a_hundred_thousand():
    result = bradley_terry(votes(ab=100_000, ba=1, bc=1000, cb=1))
    assert result.reason == ""
    assert result.ratings["a"] - result.ratings["b"] == pytest.approx(2000)
    assert result.ratings["b"] - result.ratings["c"] == pytest.approx(1200)


def test_ranks_part_only_where_intervals_do():
    result = bradley_terry(votes(ab=60, ba=55, ac=90, ca=10, bc=90, cb=10))
    assert result.ranks == {"a": 1, "b": 1, "c": 3}
    assert list(result.ratings) == ["a", "b", "c"]


def test_both_bad_is_a_tie_or_is_left_out():
    cast = [*votes(ab=3, ba=2), ("a", "b", "both_bad")]
    assert bradley_terry(cast).n_ties == 1
    left_out = bradley_terry(cast, [0, 1, 2, 3, 4, 5], both_bad="leave_out")
    assert left_out.ratings == bradley_terry(cast[:5]).ratings
    assert (left_out.n_votes, left_out.n_left_out, left_out.n_clusters) == (5, 1, (5,))


@given(comparisons, st.randoms(use_true_random=False))
def test_order_sides_and_names_do_not_matter(cast, shuffle):
    given_order = bradley_terry(cast)
    swapped = [(right, left, OTHER_SIDE[outcome]) for left, right, outcome in cast]
    shuffle.shuffle(swapped)
    assert bradley_terry(swapped).ratings == pytest.approx(given_order.ratings)
    renamed = bradley_terry([(f"{99 - ord(i)}", f"{99 - ord(j)}", o) for i, j, o in cast])
    for of_new, of_old in (
        (renamed.ratings, given_order.ratings),
        (renamed.low, given_order.low),
        (renamed.high, given_order.high),
    ):
        assert {chr(99 - int(name)): of_new[name] for name in of_new} == pytest.approx(of_old)


@given(comparisons)
def test_whatever_was_voted_the_numbers_are_finite_and_their_mean_is_1000(cast):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = bradley_terry(cast, range(len(cast)), [row[0] for row in cast])
    for model, rating in result.ratings.items():
        assert -math.inf < result.low[model] <= rating <= result.high[model] < math.inf
    if cast:
        assert np.mean(list(result.ratings.values())) == pytest.approx(1000)


def never_falling_direction(cast):
    """Whether a change of strengths and tie parameter never makes a vote less likely, and some
    vote more likely: then no finite ones are best. Independently of `fit`, by a linear program."""
    models = sorted({name for row in cast for name in row[:2]})
    n = len(models)
    tied = any(outcome in ("tie", "both_bad") for _, _, outcome in cast)
    gains = []
    for left, right, outcome in cast:
        i, j = models.index(left), models.index(right)
        value = np.zeros((3, n + 1))
        value[0, i] = value[1, j] = 1
        value[2, [i, j]], value[2, n] = 0.5, 1
        seen = {"left": 0, "right": 1}.get(outcome, 2)
        gains += [value[seen] - value[other] for other in range(3 if tied else 2) if other != seen]
    gains = np.array(gains)
    solution = linprog(-gains.sum(axis=0), -gains, np.zeros(len(gains)), bounds=(-1, 1))
    return -solution.fun > 1e-9


@given(comparisons.filter(bool))
def test_it_knows_when_the_votes_have_no_best_ratings(cast):
    assert bradley_terry(cast).assumed == never_falling_direction(cast)


@pytest.mark.parametrize("tie", [0.0, 0.5])
def test_planted_strengths_are_recovered(tie):
    planted = planted_votes(40_000, 8, tie=tie)
    result = bradley_terry(planted.comparisons)
    assert result.ratings == pytest.approx(planted.true, abs=10)
    assert result.tie == pytest.approx(tie, abs=0.02)


def on_our_scale(scores):
    logs = 400 * np.log10(scores)
    return (logs - logs.mean() + 1000).to_dict()


@pytest.mark.parametrize(("tie", "name"), [(0.0, "bradley_terry"), (0.5, "newman")])
def test_it_agrees_with_evalica(tie, name):
    cast = planted_votes(3000, tie=tie).comparisons
    winners = {"left": evalica.Winner.X, "right": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    lefts, rights, outcomes = zip(*cast, strict=True)
    theirs = getattr(evalica, name)(
        lefts, rights, [winners[o] for o in outcomes], tolerance=1e-12, limit=100_000
    )
    assert bradley_terry(cast).ratings == pytest.approx(on_our_scale(theirs.scores), abs=0.01)


@pytest.mark.parametrize(
    ("cast", "words"),
    [
        (votes(ab=1), "a won every vote, so nothing says how far it is above. b lost every vote"),
        (votes(ab=5, ac=5, bc=2, cb=3), "a won every vote"),
        (votes(ab=9, cb=9, ac=2, ca=3), "b lost every vote"),
        (votes(tie_ab=1), "Every vote is a tie."),
        (votes(ab=2, tie_ab=1), "Some models never lost to others"),
        (votes(ac=2, bd=2, ab=1, ba=1, cd=1, dc=1), "Some models never lost to others"),
        (votes(ab=2, ba=1, cd=1, dc=1), "No vote connects these groups of models: a, b; c, d."),
    ],
)
def test_votes_without_an_answer_get_finite_ratings_and_a_clear_statement(cast, words):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = bradley_terry(cast)
    assert words in result.reason
    assert "assume one imagined vote of each model against an average one" in result.reason
    assert result.assumed
    assert all(map(math.isfinite, [*result.low.values(), *result.high.values()]))


def test_models_that_never_met_have_no_ranks():
    result = bradley_terry(votes(ab=20, ba=2, cd=5, dc=5))
    assert result.ranks is None
    assert result.low["a"] < result.ratings["c"] < result.high["a"]
    assert votes_to_separate(result, "a", "c") is None


def test_winning_every_vote_more_often_says_more():
    once, often = bradley_terry(votes(ab=1)), bradley_terry(votes(ab=20))
    assert once.ranks == {"a": 1, "b": 1}
    assert often.ranks == {"a": 1, "b": 2}


def test_no_votes_have_no_ratings():
    result = bradley_terry([], [], [])
    assert (result.ratings, result.ranks, result.reason) == ({}, None, "There are no votes.")


def test_it_says_how_many_more_votes_part_two_models():
    few = votes(ab=12, ba=8)
    more = votes_to_separate(bradley_terry(few), "a", "b")
    assert 60 < more < 100
    assert bradley_terry(few * (more // 20)).ranks == {"a": 1, "b": 1}
    parted = bradley_terry(few * (more // 20 + 2))
    assert parted.ranks == {"a": 1, "b": 2}
    assert votes_to_separate(parted, "a", "b") == 0
    assert votes_to_separate(bradley_terry(votes(ab=1, ba=1)), "a", "b") is None


@pytest.mark.parametrize(
    ("cast", "options", "words"),
    [
        ([("a", "b", "won")], {}, "outcome is 'won'"),
        ([("a", "a", "tie")], {}, "'a' is compared with itself"),
        (votes(ab=2), {"reviewers": [1]}, "1 reviewers for 2 comparisons"),
        (votes(ab=2), {"clips": [1, 2, 3]}, "3 clips for 2 comparisons"),
        (votes(ab=2), {"interval": "guess"}, "interval is 'guess'"),
        (votes(ab=2), {"n_bootstrap": 1}, "at least two resamples"),
    ],
)
def test_it_refuses_what_it_can_not_count(cast, options, words):
    with pytest.raises(ValueError, match=words):
        bradley_terry(cast, **options)
