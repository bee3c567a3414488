"""Draws with known probabilities, and that weights by their inverse are unbiased."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from metrics.design import (
    caption_scores,
    draw_probabilities,
    draw_weights,
    draw_without_replacement,
    weighted_mean,
)
from metrics.threshold import estimate_threshold


def test_probabilities_mix_scores_with_equal_shares():
    assert draw_probabilities([3, 1, 0]) == pytest.approx([13 / 24, 7 / 24, 4 / 24])
    assert draw_probabilities([0, 0]) == pytest.approx([0.5, 0.5])
    assert draw_probabilities([5, 0], uniform=1) == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize(
    ("scores", "uniform", "message"),
    [
        ([], 0.5, "at least one"),
        ([-1, 2], 0.5, "not negative"),
        ([float("inf")], 0.5, "finite"),
        ([1], 0, "without a chance"),
    ],
)
def test_candidates_without_a_chance_are_refused(scores, uniform, message):
    with pytest.raises(ValueError, match=message):
        draw_probabilities(scores, uniform)


def test_an_order_is_drawn_with_the_probability_that_is_kept():
    probabilities = np.array([0.5, 0.3, 0.2])
    counts: dict[tuple[int, ...], int] = {}
    stated: dict[tuple[int, ...], float] = {}
    for seed in range(3000):
        draws = draw_without_replacement(probabilities, 2, seed)
        order = tuple(draw.place for draw in draws)
        counts[order] = counts.get(order, 0) + 1
        stated[order] = draws[0].probability * draws[1].probability
    assert stated == {
        (i, j): pytest.approx(probabilities[i] * probabilities[j] / (1 - probabilities[i]))
        for i, j in permutations(range(3), 2)
    }
    assert {order: count / 3000 for order, count in counts.items()} == {
        order: pytest.approx(share, abs=0.03) for order, share in stated.items()
    }
    with pytest.raises(ValueError, match="can't be drawn"):
        draw_without_replacement(probabilities, 4, 0)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_weighted_mean_is_unbiased_over_every_order(size):
    """Over all orders of four units, by their exact probabilities: the mean of the estimates is the
    mean of the units, and so is that of the weights."""
    values, first = np.array([5.0, 0.0, 1.0, 3.0]), np.array([0.1, 0.2, 0.3, 0.4])
    expected = total = 0.0
    for order in permutations(range(4), size):
        chances, left = [], 1.0
        for place in order:
            chances.append(first[place] / left)
            left -= first[place]
        chance = float(np.prod(chances))
        expected += chance * weighted_mean(values[list(order)], chances, 4).mean
        total += chance * float(draw_weights(chances, 4).mean())
    assert expected == pytest.approx(values.mean())
    assert total == pytest.approx(1)


def test_equal_probabilities_give_the_plain_mean():
    made = weighted_mean([1, 2, 6], [1 / 9, 1 / 8, 1 / 7], 9)
    assert draw_weights([1 / 9, 1 / 8, 1 / 7], 9) == pytest.approx([1, 1, 1])
    assert made.mean == pytest.approx(3)
    assert weighted_mean([], [], 9).reason == "Nothing is judged yet."
    assert weighted_mean([1], [1 / 9], 9).reason.startswith("One unit says nothing")
    assert weighted_mean([1, 2], [0.5, 1.0], 2).low == 1.5
    with pytest.raises(ValueError, match="lie above 0"):
        draw_weights([0.0], 3)
    with pytest.raises(ValueError, match="can't be drawn"):
        draw_weights([0.5, 0.5], 1)


def test_intervals_of_weighted_means_hold():
    random = np.random.default_rng(4)
    values = random.poisson(1.5, 300) * (random.random(300) < 0.5)
    probabilities = draw_probabilities(values + random.random(300))
    held, widths, plain = 0, [], []
    for seed in range(400):
        draws = draw_without_replacement(probabilities, 60, seed)
        made = weighted_mean(
            [float(values[draw.place]) for draw in draws], [draw.probability for draw in draws], 300
        )
        held += made.low <= values.mean() <= made.high
        widths.append(made.high - made.low)
        sample = random.permutation(values)[:60]
        plain.append(2 * 2 * sample.std(ddof=1) * np.sqrt((1 - 60 / 300) / 60))
    assert held / 400 >= 0.91
    assert np.mean(widths) < 0.8 * np.mean(plain)


def test_captions_near_the_threshold_count_most():
    far = [0.0, 0.1, 0.8, 0.9, 1.0] * 2
    scores = caption_scores([0.2, 0.3, 0.4, *far], 0.2, 0.4)
    # The range of interest is 0.15 to 0.45: 0.2 is at its sixth.
    assert scores == pytest.approx([4 / 6 * 5 / 6, 1, 4 / 6 * 5 / 6, *[0] * 10])
    assert caption_scores(far, 0.0, 0.9) == pytest.approx([0] * 10)
    assert caption_scores([0.1, 0.2], 0.2, 0.2) == pytest.approx([0, 0])
    with pytest.raises(ValueError, match="wrong way"):
        caption_scores([0.1], 0.3, 0.2)


def test_a_weight_of_two_is_two_captions():
    random = np.random.default_rng(8)
    scores = np.round(random.uniform(0, 0.5, 60), 3)
    errors = random.poisson(np.where(scores < 0.2, 2.0, 0.3))
    for rule in ("change_point", "youden", "target_error_rate"):
        weighted, doubled = (
            estimate_threshold(scores, errors, rule, 0, target=0.3, weights=np.full(60, 2.0)),
            estimate_threshold(np.repeat(scores, 2), np.repeat(errors, 2), rule, 0, target=0.3),
        )
        assert weighted.threshold == pytest.approx(doubled.threshold)
        assert weighted.level_below == pytest.approx(doubled.level_below)
        assert not weighted.is_weighted
    unequal = estimate_threshold(scores, errors, weights=random.uniform(0.5, 2, 60))
    assert unequal.is_weighted
    assert unequal.low <= unequal.threshold <= unequal.high
    with pytest.raises(ValueError, match="one weight above 0"):
        estimate_threshold(scores, errors, weights=np.zeros(60))
