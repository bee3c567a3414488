"""Recall at every K and its interval: hand-worked, against plain recall and a plain bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.retrieval import recall_at_k, recall_curve


def test_it_is_worked_out_by_hand():
    curve = recall_curve([1, 3, 2, 3], ["a", "a", "b", "c"], 4)
    assert curve.hits == (1, 2, 4, 4)
    assert (curve.n_queries, curve.n_units, curve.reason) == (4, 3, "")
    # Every query has found its item in the third place, whichever videos are drawn.
    assert (curve.low[2:], curve.high[2:]) == ((1.0, 1.0), (1.0, 1.0))
    assert curve.low[0] == 0.0
    assert all(low <= high for low, high in zip(curve.low, curve.high, strict=True))


def test_it_ends_at_the_last_k_or_with_the_gallery():
    ranks = np.arange(1, 101)
    assert recall_curve(ranks, ranks, 100, max_k=50).hits == tuple(range(1, 51))
    assert recall_curve([2, 1], [1, 2], 3).hits == (1, 2, 2)


def test_queries_of_one_video_are_drawn_together():
    """Two videos of ten queries each, one always right: a resample has all, half or none."""
    curve = recall_curve([1] * 10 + [2] * 10, [0] * 10 + [1] * 10, 5)
    assert (curve.low[0], curve.high[0]) == (0.0, 1.0)
    apart = recall_curve([1] * 10 + [2] * 10, range(20), 5)
    assert 0.2 < apart.low[0] < 0.5 < apart.high[0] < 0.8


def test_without_an_interval_it_says_why():
    single = recall_curve([1, 2], ["a", "a"], 2)
    assert (single.hits, single.low, single.high) == ((1, 2), (), ())
    assert single.reason == "One unit can't be resampled, so there is no interval."
    empty = recall_curve([], [], 3)
    assert (empty.hits, empty.n_queries, empty.reason) == ((0, 0, 0), 0, "There are no queries.")
    assert "No resamples" in recall_curve([1, 2], [1, 2], 2, n_bootstrap=0).reason


@pytest.mark.parametrize(
    ("ranks", "units", "options", "message"),
    [
        ([1, 2], [1], {}, "ranks have shape"),
        ([0], [1], {}, "between 1 and the size of the gallery, 3"),
        ([4], [1], {}, "between 1 and the size of the gallery, 3"),
        ([1], [1], {"max_k": 0}, "max_k is 0"),
    ],
)
def test_it_refuses_what_makes_no_sense(ranks, units, options, message):
    with pytest.raises(ValueError, match=message):
        recall_curve(ranks, units, 3, **options)


@given(st.integers(0, 10_000), st.integers(2, 12), st.integers(2, 60))
def test_it_agrees_with_recall_and_a_plain_bootstrap(seed, n_videos, n):
    random = np.random.default_rng(seed)
    similarity = random.standard_normal((n, n))
    result = recall_at_k(similarity, [{index} for index in range(n)], range(1, min(50, n) + 1))
    videos = random.integers(0, n_videos, n)
    curve = recall_curve(result.ranks, videos, n, n_bootstrap=40, seed=seed)
    assert list(curve.hits) == list(result.hits.values())
    names = np.unique(videos)
    if len(names) < 2:
        assert curve.low == ()
        return
    draws = np.random.default_rng(seed).integers(0, len(names), (40, len(names)))
    recalls = []
    for draw in draws:
        drawn = np.concatenate([result.ranks[videos == names[unit]] for unit in draw])
        recalls.append([np.mean(drawn <= k) for k in range(1, len(curve.hits) + 1)])
    low, high = np.percentile(recalls, (2.5, 97.5), axis=0)
    assert curve.low == pytest.approx(low)
    assert curve.high == pytest.approx(high)
