"""ReBias: the paper's Table 5, hand-worked cases, and the interval over videos."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.rebias import QueryHits, bootstrap_rebias, rebias
from tests.metrics.golden import golden

TABLE_5 = golden("carebench_table5.csv")
FIT = 0.1  # percentage points

recalls = st.lists(st.floats(0.5, 100), min_size=6, max_size=6)


def of_row(row):
    spatial, temporal = (
        [float(value) for name, value in row.items() if name.startswith(side)]
        for side in ("spatial", "temporal")
    )
    return rebias(spatial, temporal)


def test_the_golden_table_is_whole():
    assert len(TABLE_5) == 17
    assert [(row["group"], row["model"]) for row in TABLE_5 if row["fits"] == "neither"] == [
        ("contrastively trained", "InternVL2 8B")
    ]


@pytest.mark.parametrize("row", TABLE_5, ids=lambda row: f"{row['group']} {row['model']}")
def test_the_inverse_ratio_gives_what_the_paper_prints(row):
    result, printed = of_row(row), float(row["printed"])
    assert result.table5 - printed == pytest.approx(float(row["off"]), abs=0.0006)
    assert (abs(result.table5 - printed) <= FIT) == (row["fits"] == "table5")
    assert abs(result.equation1 - printed) > FIT


def test_both_forms_are_worked_out_by_hand():
    # Means 60 and 48: |1 - 48/60| = 0.2 and |1 - 60/48| = 0.25.
    result = rebias([40, 60, 80, 40, 60, 80], [28, 48, 68, 28, 48, 68])
    assert (result.spatial_mean, result.temporal_mean) == (60, 48)
    assert result.equation1 == pytest.approx(20)
    assert result.table5 == pytest.approx(25)
    assert result.reason == ""


@pytest.mark.parametrize(
    ("spatial", "temporal", "equation1", "table5", "words"),
    [
        ([0] * 6, [50] * 6, None, 100, "spatial recall is 0, and Equation 1"),
        ([50] * 6, [0] * 6, 100, None, "temporal recall is 0, and Table 5's form"),
        ([0] * 6, [0] * 6, None, None, "Equation 1 divides by it. The mean temporal"),
    ],
)
def test_a_mean_of_0_leaves_a_form_undefined(spatial, temporal, equation1, table5, words):
    result = rebias(spatial, temporal)
    assert (result.equation1, result.table5) == (equation1, table5)
    assert words in result.reason


@pytest.mark.parametrize(
    ("spatial", "words"),
    [
        ([50] * 5, "give 6 recalls"),
        ([50] * 5 + [-1], "from 0 to 100"),
        ([50] * 5 + [101], "from 0 to 100"),
        ([50] * 5 + [float("nan")], "from 0 to 100"),
    ],
)
def test_what_are_no_six_recalls_is_refused(spatial, words):
    with pytest.raises(ValueError, match=words):
        rebias(spatial, [50] * 6)
    with pytest.raises(ValueError, match=words):
        rebias([50] * 6, spatial)


@given(recalls, recalls)
def test_exchanging_the_two_exchanges_the_forms(spatial, temporal):
    there, back = rebias(spatial, temporal), rebias(temporal, spatial)
    assert (there.equation1, there.table5) == (back.table5, back.equation1)


@given(recalls, recalls)
def test_it_does_not_depend_on_the_unit_or_the_order(spatial, temporal):
    whole = rebias(spatial, temporal)
    shares = rebias([r / 100 for r in spatial[::-1]], [r / 100 for r in temporal[::-1]])
    assert shares.equation1 == pytest.approx(whole.equation1, abs=1e-9)
    assert shares.table5 == pytest.approx(whole.table5, abs=1e-9)


def directions(share, n=300, captions=1, seed=0):
    """Two directions of `n` videos: a query for each caption there, one for each video back."""
    random = np.random.default_rng(seed)
    ids = np.array([f"v{number:04}" for number in range(n)])
    sought = np.repeat(ids, captions)
    return [QueryHits(random.random((len(of), 3)) < share, of) for of in (sought, ids)]


def test_the_interval_holds_what_it_is_drawn_around():
    result = bootstrap_rebias(directions(0.8), directions(0.6, seed=1), 400)
    for value, interval in (
        (result.rebias.equation1, result.equation1),
        (result.rebias.table5, result.table5),
    ):
        assert interval.low < value < interval.high
        assert (interval.n_defined, interval.reason) == (400, "")
    assert result.equation1.low < 25 < result.equation1.high
    assert (result.n_videos, result.n_bootstrap, result.seed) == (300, 400, 0)


def test_the_interval_of_an_even_model_begins_at_0():
    even = directions(0.7)
    result = bootstrap_rebias(even, directions(0.7, seed=1), 400)
    assert (result.equation1.low, result.table5.low) == (0, 0)
    assert result.rebias.table5 < result.table5.high
    same = bootstrap_rebias(even, even, 400)
    assert (same.table5.low, same.rebias.table5, same.table5.high) == (0, 0, 0)


@pytest.mark.parametrize(("s", "t"), [(0.8, 0.6), (0.6, 0.8)])
def test_the_interval_does_not_depend_on_which_half_is_better(s, t):
    there = bootstrap_rebias(directions(s), directions(t, seed=1), 400)
    back = bootstrap_rebias(directions(t, seed=1), directions(s), 400)
    assert (there.table5.low, there.table5.high) == (back.equation1.low, back.equation1.high)
    assert 0 < there.table5.low < there.rebias.table5 < there.table5.high


def test_the_whole_is_the_rebias_of_the_hits():
    spatial, temporal = directions(0.8, captions=3), directions(0.6, captions=2, seed=1)
    means = [np.concatenate([d.hits.mean(axis=0) for d in side]) for side in (spatial, temporal)]
    assert bootstrap_rebias(spatial, temporal, 10).rebias == rebias(*means)


def test_a_video_is_drawn_with_all_its_queries():
    """Were its captions drawn one by one, twenty equal ones would feign certainty."""

    def copies(side, n):
        return [QueryHits(np.repeat(d.hits, n, axis=0), np.repeat(d.videos, n)) for d in side]

    spatial, temporal = directions(0.8, n=50), directions(0.6, n=50, seed=1)
    once = bootstrap_rebias(spatial, temporal, 200)
    many = bootstrap_rebias(copies(spatial, 20), copies(temporal, 20), 200)
    assert many.table5.low == pytest.approx(once.table5.low)
    assert many.table5.high == pytest.approx(once.table5.high)


def test_an_independent_resampling_gives_the_same_interval():
    spatial, temporal = directions(0.7, n=120, captions=2), directions(0.5, n=120, seed=1)
    result = bootstrap_rebias(spatial, temporal, 1000)
    random = np.random.default_rng(99)
    ids = spatial[1].videos
    places = [
        [{video: np.flatnonzero(d.videos == video) for video in ids} for d in side]
        for side in (spatial, temporal)
    ]
    values = []
    for _ in range(1000):
        drawn = random.choice(ids, len(ids))
        means = []
        for side, rows_of in zip((spatial, temporal), places, strict=True):
            rows = [np.concatenate([of[video] for video in drawn]) for of in rows_of]
            means.append(np.mean([d.hits[r].mean(axis=0) for d, r in zip(side, rows, strict=True)]))
        values.append(100 * abs(1 - means[0] / means[1]))
    low, high = np.percentile(values, [2.5, 97.5])
    width = high - low
    assert result.table5.low == pytest.approx(low, abs=0.1 * width)
    assert result.table5.high == pytest.approx(high, abs=0.1 * width)


def test_the_seed_repeats_the_interval():
    spatial, temporal = directions(0.8), directions(0.6, seed=1)
    first, again, other = (
        bootstrap_rebias(spatial, temporal, 100, seed=seed) for seed in (4, 4, 5)
    )
    assert first == again
    assert first.table5 != other.table5


def test_without_hits_a_form_and_its_interval_are_undefined():
    result = bootstrap_rebias(directions(0.8), directions(0.0), 100)
    assert result.rebias.table5 is None
    assert (result.table5.low, result.table5.high, result.table5.n_defined) == (None, None, 0)
    assert "Only 0 of 100 resamples" in result.table5.reason
    assert result.equation1.low == 100


def test_what_are_no_hits_is_refused():
    good = directions(0.8)
    for bad, words in (
        ([QueryHits(np.ones((2, 3)), ["a", "b"]), good[1]], "truth values"),
        ([QueryHits(np.ones((2, 3), bool), ["a"]), good[1]], "truth values"),
        ([QueryHits(np.ones((0, 3), bool), np.array([], str)), good[1]], "no queries"),
        (good[:1], "give 6 recalls"),
    ):
        with pytest.raises(ValueError, match=words):
            bootstrap_rebias(bad, good)
    with pytest.raises(ValueError, match="no hits"):
        bootstrap_rebias([], [])
    with pytest.raises(ValueError, match="n_bootstrap"):
        bootstrap_rebias(good, good, -1)
