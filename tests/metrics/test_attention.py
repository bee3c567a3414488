"""Signs of missing attention: sides, repeats and pace."""

from __future__ import annotations

from itertools import combinations
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics.attention import (
    ALPHA,
    Count,
    Outlier,
    Pace,
    binomial_p,
    changed_more_p,
    changed_votes,
    compare_pace,
    holm,
    position_bias,
    too_many,
)

ANNA, BEN, EMIL = 1, 2, 3


def test_position_bias_by_hand():
    """Ten of ten left: 2 / 2^10. Six of ten: 1 - 252 / 1024. Holm doubles the smaller one."""
    result = position_bias([Count(ANNA, 10, 10), Count(BEN, 6, 10), Count(EMIL, 0, 0)])

    anna, ben, emil = result.people
    assert (result.n_people, result.alpha) == (2, ALPHA)
    assert anna.p == pytest.approx(2 / 1024)
    assert anna.adjusted == pytest.approx(4 / 1024)
    assert ben.p == ben.adjusted == pytest.approx(772 / 1024)
    assert [anna.is_marked, ben.is_marked] == [True, False]
    assert emil == Outlier(EMIL, 0, 0, None, None, False, "No vote prefers a side.")


def test_changed_votes_by_hand():
    """Anna changes 3 of 3 and Ben 1 of 5: C(4, 3) ways of C(8, 3) that all 3 are among Anna's."""
    anna, ben, emil = changed_votes([Count(ANNA, 3, 3), Count(BEN, 1, 5), Count(EMIL, 0, 0)]).people

    assert anna.p == pytest.approx(4 / 56)
    assert ben.p == 1
    assert emil.reason == "No vote was repeated yet."
    [alone] = changed_votes([Count(ANNA, 3, 3)]).people
    assert (alone.p, alone.is_marked) == (None, False)
    assert alone.reason == "Nobody else has repeated a vote, so there is nothing to compare with."


def test_quick_items_by_hand():
    """Fourteen of fourteen at 10 %: 0.1^14. One of ten: 1 - 0.9^10."""
    quick, usual, idle = too_many(
        [Count(ANNA, 14, 14), Count(BEN, 1, 10), Count(EMIL, 0, 0)]
    ).people

    assert quick.p == pytest.approx(1e-14)
    assert usual.p == pytest.approx(1 - 0.9**10)
    assert [quick.is_marked, usual.is_marked] == [True, False]
    assert idle.reason == "No item of this kind has a time."


def test_pace_by_hand():
    """Of exp(2), exp(3), ... exp(12) the median is exp(7) and the MAD of the logarithms 3."""
    compared = [exp(power) for power in range(2, 13)]
    pace = compare_pace([1, 1, 1, 0, 0.2], compared)

    assert pace.z == pytest.approx(0.6745 * (0 - 7) / 3)
    assert (pace.n_own, pace.n_compared, pace.own_median) == (5, 11, 1)
    assert not pace.is_marked
    assert compare_pace([1] * 5, [30, 31, 32, 33, 34] * 2).is_marked
    assert not compare_pace([900] * 5, [30, 31, 32, 33, 34] * 2).is_marked


@pytest.mark.parametrize(
    ("own", "compared", "reason"),
    [
        ([9] * 4, [9] * 20, "4 items, and 5 are needed."),
        ([9] * 5, [9] * 9, "9 items to compare with; 10 are needed."),
        ([9] * 5, [9] * 10, "Half of the items to compare with took equally long: no spread."),
    ],
)
def test_pace_says_why_it_has_no_value(own: list[float], compared: list[float], reason: str):
    pace = compare_pace(own, compared)
    assert pace == Pace(len(own), len(compared), 9, 9, None, False, reason)


def test_pace_of_nothing_has_no_median():
    assert compare_pace([], []) == Pace(0, 0, None, None, None, False, "0 items, and 5 are needed.")


@given(n=st.integers(1, 300), data=st.data(), two_sided=st.booleans())
def test_binomial_agrees_with_scipy(n: int, data: st.DataObject, two_sided: bool):
    successes = data.draw(st.integers(0, n))
    chance = data.draw(st.sampled_from([0.05, 0.1, 0.5, 0.73]))
    tail = "two-sided" if two_sided else "greater"
    expected = stats.binomtest(successes, n, chance, alternative=tail).pvalue
    assert binomial_p(successes, n, chance, two_sided=two_sided) == pytest.approx(
        expected, rel=1e-6, abs=1e-12
    )


@given(st.tuples(*[st.integers(0, 20)] * 4).filter(lambda t: t[0] + t[1] and t[2] + t[3]))
def test_changed_votes_agree_with_scipy(table: tuple[int, int, int, int]):
    changed, kept, others_changed, others_kept = table
    expected = stats.fisher_exact(
        [[changed, kept], [others_changed, others_kept]], alternative="greater"
    ).pvalue
    p = changed_more_p(changed, changed + kept, others_changed, others_changed + others_kept)
    assert p == pytest.approx(expected, rel=1e-7)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=7))
def test_holm_is_bonferroni_over_every_subset(p_values: list[float]):
    """Marcus, Peritz and Gabriel (1976): the closed test, in which a hypothesis is rejected with
    every subset that contains it."""
    places = range(len(p_values))
    subsets = [
        subset for size in range(1, len(p_values) + 1) for subset in combinations(places, size)
    ]
    expected = [
        max(
            min(1.0, len(subset) * min(p_values[at] for at in subset))
            for subset in subsets
            if place in subset
        )
        for place in places
    ]
    assert holm(p_values) == pytest.approx(expected)


@given(
    st.lists(st.floats(1, 500), min_size=5, max_size=20),
    st.lists(st.floats(1, 500), min_size=10, max_size=40),
)
def test_pace_agrees_with_scipy(own: list[float], compared: list[float]):
    logs = np.log(compared)
    spread = stats.median_abs_deviation(logs)
    z = compare_pace(own, compared).z
    if z is not None and spread > 1e-9:
        expected = 0.6745 * (np.median(np.log(own)) - np.median(logs)) / spread
        assert z == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_it_marks_who_is_planted_and_of_honest_people_at_most_alpha():
    """1,000 honest people of whom each is tested alone, and again all with one who always chooses
    left: the exact tests mark at most alpha of the first, and of the second only the planted."""
    random = np.random.default_rng(20)
    lefts = [
        Count(person, int(left), 40) for person, left in enumerate(random.binomial(40, 0.5, 1000))
    ]
    quick = [Count(person, int(n), 40) for person, n in enumerate(random.binomial(40, 0.1, 1000))]

    assert sum(position_bias([row]).people[0].is_marked for row in lefts) <= 1000 * ALPHA
    assert sum(too_many([row]).people[0].is_marked for row in quick) <= 1000 * ALPHA
    together = position_bias([*lefts, Count(1000, 40, 40)]).people
    assert [row.person for row in together if row.is_marked] == [1000]

    times = [list(np.exp(random.normal(log(40), 0.5, 20))) for _ in range(1000)]
    assert not any(compare_pace(times[at], times[at - 1]).is_marked for at in range(1000))
    assert compare_pace([1] * 14, times[0]).is_marked


def test_it_refuses_impossible_numbers():
    for call in (
        lambda: binomial_p(3, 2, 0.5, two_sided=True),
        lambda: binomial_p(0, 0, 0.5, two_sided=True),
        lambda: binomial_p(1, 2, 1, two_sided=False),
        lambda: changed_more_p(1, 0, 0, 1),
        lambda: holm([0.5, 1.2]),
        lambda: position_bias([Count(ANNA, 3, 2)]),
        lambda: position_bias([Count(ANNA, 1, 2)], alpha=1),
        lambda: compare_pace([-1], []),
    ):
        with pytest.raises(ValueError):
            call()
