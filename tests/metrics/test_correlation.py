"""Correlations: the paper's Table 15, hand-worked cases, and scipy."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics.correlation import mean_ranks, pearson, spearman

TABLES = Path(__file__).parent / "golden" / "carebench_tables.csv"
# Table 15, as printed.
PUBLISHED = {
    "bleu4": -0.41,
    "meteor": -0.54,
    "rouge_l": -0.19,
    "cider": -0.14,
    "action_f1": 0.81,
    "object_f1": 0.71,
}
with TABLES.open() as file:
    MODELS = list(csv.DictReader(file))

numbers = st.lists(
    st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=4, max_size=40
).filter(lambda pairs: all(len(set(side)) > 1 for side in zip(*pairs, strict=True)))


def column(name):
    return [float(row[name]) for row in MODELS]


@pytest.mark.parametrize("metric", PUBLISHED)
def test_it_gives_carebenchs_table_15(metric):
    # The paper cuts the negative values off and rounds the positive ones.
    assert pearson(column(metric), column("elo")).value == pytest.approx(
        PUBLISHED[metric], abs=0.0075
    )


def test_six_models_do_not_show_what_table_15_claims():
    correlations = [pearson(column(metric), column("elo")) for metric in PUBLISHED]
    assert all(
        correlation.low < 0 < correlation.high and correlation.p > 0.05
        for correlation in correlations
    )
    assert correlations[4].warning == (
        "Only 6 models: the true correlation may lie anywhere from -0.02 to 0.98, so there may be "
        "none."
    )


def test_table_15_has_internvl_2_5_where_table_14_says_internvl_2():
    actions, objects = [23.3, *column("action_f1")[1:]], [22.9, *column("object_f1")[1:]]
    assert round(pearson(actions, column("elo")).value, 2) == 0.84
    assert round(pearson(objects, column("elo")).value, 2) == 0.96


def test_table_14_says_that_all_began_at_1000_and_none_met_the_floor():
    assert sum(column("elo")) == pytest.approx(6000, abs=0.03)
    assert min(column("elo")) > 700


@given(numbers)
def test_values_and_p_are_scipys(pairs):
    first, second = zip(*pairs, strict=True)
    ours, theirs = pearson(first, second), stats.pearsonr(first, second)
    assert ours.value == pytest.approx(theirs.statistic, abs=1e-9)
    assert ours.p == pytest.approx(theirs.pvalue, abs=1e-6)
    ours, theirs = spearman(first, second), stats.spearmanr(first, second)
    assert ours.value == pytest.approx(theirs.statistic, abs=1e-9)
    if ours.p_from == "t":
        assert ours.p == pytest.approx(theirs.pvalue, abs=1e-6)


@pytest.mark.parametrize("n", [6, 30])
def test_pearsons_interval_is_scipys(n):
    first, second = np.random.default_rng(n).normal(size=(2, n))
    ours, theirs = pearson(first, second), stats.pearsonr(first, second).confidence_interval()
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_spearmans_p_is_exact_for_few_models():
    # Of the 24 orders of four models two are as strong: the same and the reverse.
    perfect = spearman([1, 2, 3, 4], [10, 20, 30, 400])
    assert (perfect.value, perfect.p, perfect.p_from) == (pytest.approx(1), 2 / 24, "exact")
    assert (perfect.low, perfect.reason) == (None, "A perfect correlation gives no interval.")
    assert spearman(range(9), range(9)).p_from == "t"


@pytest.mark.parametrize("unit", [1e-320, 1e-226, 1e-160, 1e160, 1e307])
def test_the_size_of_the_numbers_does_not_matter(unit):
    first, second = np.array([1.0, 4, 2, 8]), np.array([2.0, 3, 9, 7])
    correlation = pearson(first * unit, second)
    assert correlation.value == pytest.approx(pearson(first, second).value, rel=1e-3)
    assert correlation.p == pytest.approx(pearson(first, second).p, rel=1e-3)


def test_numbers_of_very_different_sizes_correlate():
    """CIDEr of captions that share hardly a word with people's."""
    assert pearson([9e-227, 0.0, 0.0], [1.0, 2.0, 3.0]).value == pytest.approx(-0.866, abs=1e-3)


@pytest.mark.parametrize("correlate", [pearson, spearman])
@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ([], [], "at least 3 models; there are 0"),
        ([1, 2], [2, 1], "at least 3 models; there are 2"),
        ([1, 2, 3], [5, 5, 5], "All models have the same value"),
    ],
)
def test_without_an_answer_it_says_why(correlate, first, second, words):
    correlation = correlate(first, second)
    numbers = (correlation.value, correlation.low, correlation.high, correlation.p)
    assert numbers == (None, None, None, None)
    assert words in correlation.reason


def test_three_models_have_a_value_but_no_interval():
    correlation = pearson([1, 2, 3], [1, 3, 2])
    assert (correlation.value, correlation.low, correlation.reason) == (
        pytest.approx(0.5),
        None,
        "Three models give no interval.",
    )
    assert correlation.warning == "Only 3 models: such a value comes about by chance easily."


def test_twenty_models_need_no_warning():
    values = np.random.default_rng(1).normal(size=(2, 20))
    assert pearson(*values).warning == ""
    assert pearson(*values[:, :19]).warning.startswith("Only 19 models: ")


def test_its_sentences_name_what_was_measured():
    assert pearson([1, 2], [1, 2], units="clips").reason == (
        "A correlation needs at least 3 clips; there are 2."
    )
    assert pearson([1, 1, 1], [1, 2, 3], units="clips").reason.startswith("All clips have")
    three = pearson([1, 2, 3], [1, 3, 2], units="clips")
    assert three.reason == "Three clips give no interval."
    assert three.warning.startswith("Only 3 clips: ")


def test_equal_values_share_their_rank():
    assert mean_ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]


@pytest.mark.parametrize(("first", "second"), [([1, 2, 3], [1, 2]), ([1, 2, np.nan], [1, 2, 3])])
def test_it_refuses_numbers_that_do_not_pair(first, second):
    with pytest.raises(ValueError):
        pearson(first, second)
