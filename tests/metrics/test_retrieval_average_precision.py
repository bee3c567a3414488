"""mAP@K: hand-worked rankings, a plain second implementation, and scikit-learn where equal."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import label_ranking_average_precision_score

from metrics.retrieval import mean_average_precision, tfcovr_mean_average_precision
from tests.metrics.golden import golden

FUNCTIONS = {"circo": mean_average_precision, "tfcovr": tfcovr_mean_average_precision}


def by_the_definition(ranking, relevant, k):
    """AP@K as a sum over places, without a vector."""
    total = Fraction(0)
    for place in range(1, min(k, len(ranking)) + 1):
        if ranking[place - 1] in relevant:
            total += Fraction(sum(item in relevant for item in ranking[:place]), place)
    return total / min(len(relevant), k)


@st.composite
def retrievals(draw):
    """Rankings of the clips 0 to 11, as far as they go, and what is relevant to each query."""
    n = draw(st.integers(1, 5))
    clips = st.permutations(range(12))
    rankings = [draw(clips)[: draw(st.integers(0, 12))] for _ in range(n)]
    relevant = [draw(st.sets(st.integers(0, 14), min_size=1)) for _ in range(n)]
    return rankings, relevant


@pytest.mark.parametrize("row", golden("average_precision.csv"), ids=lambda row: row["sum"])
def test_it_is_what_was_worked_out_by_hand(row):
    k = int(row["k"])
    ap = sum(map(Fraction, row["sum"].split(" + "))) / int(row["over"])
    result = FUNCTIONS[row["convention"]](
        [row["ranking"].split()], [set(row["relevant"].split())], [k]
    )
    assert result.map[k] == pytest.approx(float(ap))
    assert result.convention == row["convention"]


@given(retrievals())
def test_it_is_the_sum_over_places(case):
    rankings, relevant = case
    result = mean_average_precision(rankings, relevant, (1, 3, 12, 50))
    for k, values in result.average_precision.items():
        expected = [float(by_the_definition(*pair, k)) for pair in zip(*case, strict=True)]
        assert values.tolist() == pytest.approx(expected)
        assert result.map[k] == pytest.approx(np.mean(expected))
        assert result.hits[k] == sum(
            len(set(ranking[:k]) & right) for ranking, right in zip(*case, strict=True)
        )
    assert (result.n_queries, result.n_relevant) == (len(rankings), sum(map(len, relevant)))


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(
            st.lists(st.permutations(range(8)), min_size=n, max_size=n),
            st.lists(st.sets(st.integers(0, 7), min_size=1), min_size=n, max_size=n),
        )
    )
)
def test_a_whole_ranking_has_scikit_learns_value(case):
    """Theirs averages the precision at each relevant label, which is AP@K for K = the gallery."""
    rankings, relevant = case
    scores = np.zeros((len(rankings), 8))
    truth = np.zeros((len(rankings), 8), dtype=bool)
    for row, (ranking, right) in enumerate(zip(rankings, relevant, strict=True)):
        scores[row, ranking] = np.arange(8, 0, -1)
        truth[row, list(right)] = True
    expected = label_ranking_average_precision_score(truth, scores)
    assert mean_average_precision(rankings, relevant, [8]).map[8] == pytest.approx(expected)


@given(retrievals())
def test_without_repeats_both_conventions_are_the_same(case):
    circo, tfcovr = mean_average_precision(*case), tfcovr_mean_average_precision(*case)
    assert circo.map == tfcovr.map
    assert all(0 <= value <= 1 for value in circo.map.values())


@given(retrievals(), st.integers(1, 11))
def test_a_hit_that_moves_up_never_harms(case, place):
    rankings, relevant = case
    better = [list(ranking) for ranking in rankings]
    for ranking, right in zip(better, relevant, strict=True):
        pair = ranking[place - 1 : place + 1]
        if len(pair) == 2 and pair[1] in right and pair[0] not in right:
            ranking[place - 1 : place + 1] = pair[::-1]
    before, after = (mean_average_precision(r, relevant).map for r in (rankings, better))
    assert all(after[k] >= before[k] - 1e-12 for k in before)


def test_the_released_codes_gallery_exceeds_1():
    """One right clip that is the first target of three queries is listed three times."""
    rankings, relevant = [["a", "a", "a", "b", "c"]], [{"a"}]
    assert tfcovr_mean_average_precision(rankings, relevant, [5]).map[5] == 3.0
    with pytest.raises(ValueError, match="the ranking of query 0 holds an id twice"):
        mean_average_precision(rankings, relevant, [5])
    assert mean_average_precision([["a", "b", "c"]], relevant, [5]).map[5] == 1.0


def test_arrays_of_indices_are_rankings_too():
    result = mean_average_precision([np.array([4, 2, 7])], [np.array([2])], [5])
    assert result.map == {5: 0.5}


def test_without_queries_there_is_no_map():
    result = mean_average_precision([], [])
    assert result.map == {5: None, 10: None, 25: None, 50: None}
    assert (result.n_queries, result.reason) == (0, "There are no queries.")


@pytest.mark.parametrize(
    ("rankings", "relevant", "ks", "words"),
    [
        ([["a"]], [set()], [5], "query 0 has nothing relevant"),
        ([["a"]], [], [5], "0 entries for 1 rankings"),
        ([["a"]], ["a"], [5], "a single text"),
        ([["a"]], [{"a"}], [], "at least one"),
        ([["a"]], [{"a"}], [5, 5], "each once"),
        ([["a"]], [{"a"}], [0], "a whole number from 1"),
        ([["a"]], [{"a"}], [2.5], "a whole number from 1"),
    ],
)
@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_what_is_no_retrieval_is_refused(function, rankings, relevant, ks, words):
    with pytest.raises(ValueError, match=words):
        function(rankings, relevant, ks)
