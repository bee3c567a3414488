"""Samples of a set size, in which each unit has a probability of its own to be included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.design import draw_included, effective_size, inclusion_probabilities

plans = st.tuples(st.integers(2, 40), st.integers(1, 39), st.integers(0, 2**32 - 1)).filter(
    lambda plan: plan[1] <= plan[0]
)


@given(plans, st.sampled_from([0.0, 0.5, 0.9]))
def test_probabilities_keep_the_size_and_half_of_the_even_probabilities(plan, unasked):
    n, size, seed = plan
    random = np.random.default_rng(seed)
    even = np.full(n, size / n)
    scores = random.exponential(size=n) ** 3 * (random.random(n) >= unasked)
    probabilities = inclusion_probabilities(even, scores)
    assert probabilities.sum() == pytest.approx(size)
    assert (probabilities >= even / 2 - 1e-12).all()
    assert (probabilities <= 1).all()
    drawn = draw_included(probabilities, (seed, 1))
    assert len(set(drawn)) == len(drawn) == size
    assert drawn == draw_included(probabilities, (seed, 1))


def test_nothing_known_gives_the_plain_design():
    even = [0.25, 0.25, 1.0, 0.5]
    assert inclusion_probabilities(even, [0] * 4).tolist() == even


def test_half_of_the_sample_follows_the_scores():
    probabilities = inclusion_probabilities([0.5] * 4, [0, 1, 1, 1])
    assert probabilities == pytest.approx([0.25, 7 / 12, 7 / 12, 7 / 12])


def test_each_unit_is_drawn_as_often_as_it_should_be_and_weights_undo_it():
    even, scores = np.full(10, 0.3), np.arange(10) ** 2
    probabilities = inclusion_probabilities(even, scores)
    samples = [draw_included(probabilities, (17, number)) for number in range(4000)]
    shares = np.bincount(np.concatenate(samples), minlength=10) / 4000
    assert shares == pytest.approx(probabilities, abs=0.03)
    answers = np.linspace(3, 0, 10) ** 2
    weights = even / probabilities
    totals = [(weights * answers)[sample].sum() for sample in samples]
    assert np.mean(totals) == pytest.approx((even * answers).sum(), rel=0.02)


def test_equal_weights_count_in_full():
    assert effective_size([2, 2, 2]) == pytest.approx(3)
    assert effective_size([1, 3]) == pytest.approx(1.6)
    assert effective_size([]) == 0


@pytest.mark.parametrize(
    ("even", "scores", "uniform", "message"),
    [
        ([0.5], [1, 2], 0.5, "one score for each"),
        ([0.0, 0.5], [1, 2], 0.5, "above 0"),
        ([0.5, 0.5], [1, -2], 0.5, "not negative"),
        ([0.5, 0.5], [1, 2], 0, "without a chance"),
    ],
)
def test_units_without_a_chance_are_refused(even, scores, uniform, message):
    with pytest.raises(ValueError, match=message):
        inclusion_probabilities(even, scores, uniform)
