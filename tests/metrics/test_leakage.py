"""Objects in temporal captions: the paper's two examples, hand-worked cases, what always holds."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.leakage import ClipLeakage, ObjectCounts, leakage

# Appendix E lists the objects of two clips: 14 and 5, 19 and 5.
PAPER = [ObjectCounts("v_00000044_3", 14, 5), ObjectCounts("v_00007656_1", 19, 5)]

n_objects = st.integers(0, 30)
counts = st.lists(st.tuples(st.none() | n_objects, st.none() | n_objects), max_size=20).map(
    lambda rows: [ObjectCounts(clip, *row) for clip, row in enumerate(rows)]
)


def test_the_papers_two_examples():
    report = leakage(PAPER)
    assert (report.spatial.mean, report.spatial.total) == (16.5, 33)
    assert (report.temporal.mean, report.temporal.sd) == (5, 0)
    assert report.ratio == 10 / 33
    # Equally many in both temporal captions: first the clip with fewer in the spatial one.
    assert report.most == (
        ClipLeakage("v_00000044_3", 14, 5, 5 / 14),
        ClipLeakage("v_00007656_1", 19, 5, 5 / 19),
    )


def test_all_of_it_by_hand():
    report = leakage(
        [
            ObjectCounts("a", 10, 2),
            ObjectCounts("b", 6, 6),
            ObjectCounts("c", 0, 0),
            ObjectCounts("d", None, 9),
            ObjectCounts("e", 4, None),
        ],
        n_most=2,
    )
    assert (report.spatial.n, report.spatial.n_unknown, report.spatial.total) == (4, 1, 20)
    assert report.spatial.quantiles == (0, 3, 5, 7, 10)
    assert report.spatial.sd == pytest.approx(np.std([10, 6, 0, 4], ddof=1))
    assert (report.temporal.mean, report.temporal.n) == (4.25, 4)
    # Over a, b and c, where both are known.
    assert (report.ratio, report.n_both, report.n_clips) == (8 / 16, 3, 5)
    assert report.n_no_fewer == 1
    assert [clip.clip for clip in report.most] == ["d", "b"]
    assert report.most[0].ratio is None


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "No clip has both numbers."),
        ([(None, 3), (4, None)], "No clip has both numbers."),
        ([(0, 3), (0, 0)], "No spatial caption has an object, and the ratio divides by them."),
    ],
)
def test_without_a_ratio_it_says_why(rows, reason):
    report = leakage([ObjectCounts(clip, *row) for clip, row in enumerate(rows)])
    assert (report.ratio, report.low, report.high, report.reason) == (None, None, None, reason)


def test_of_one_clip_there_is_a_ratio_without_an_interval():
    report = leakage(PAPER[:1])
    assert (report.ratio, report.low, report.spatial.sd) == (5 / 14, None, None)
    assert "One unit" in report.reason


def test_an_independent_resampling_gives_the_same_interval():
    random = np.random.default_rng(1)
    spatial, temporal = random.poisson(10.76, 300), random.poisson(6.82, 300)
    rows = zip(spatial.tolist(), temporal.tolist(), strict=True)
    report = leakage([ObjectCounts(n, *row) for n, row in enumerate(rows)], n_bootstrap=2000)
    drawn = np.random.default_rng(2).integers(0, 300, (2000, 300))
    values = temporal[drawn].sum(axis=1) / spatial[drawn].sum(axis=1)
    low, high = np.percentile(values, [2.5, 97.5])
    assert (report.low, report.high) == pytest.approx((low, high), abs=0.1 * (high - low))
    assert report.low < 6.82 / 10.76 < report.high


@settings(deadline=None)
@given(counts, st.randoms())
def test_it_adds_up_and_its_numbers_know_no_order(rows, random):
    report = leakage(rows, n_bootstrap=20)
    shuffled = leakage(random.sample(rows, len(rows)), n_bootstrap=20)
    without = {"most"}
    assert {k: v for k, v in asdict(report).items() if k not in without} == {
        k: v for k, v in asdict(shuffled).items() if k not in without
    }
    for spread in (report.spatial, report.temporal):
        assert spread.n + spread.n_unknown == len(rows)
        if spread.n:
            assert spread.total == pytest.approx(spread.mean * spread.n)
            assert list(spread.quantiles) == sorted(spread.quantiles)
    temporal = [clip.temporal for clip in report.most]
    assert temporal == sorted(temporal, reverse=True)
    assert report.n_no_fewer <= report.n_both


@pytest.mark.parametrize("value", [-1, 1.0, "3", True])
def test_what_is_no_count_is_refused(value):
    with pytest.raises(ValueError, match=r"clip 'a': .* isn't a count"):
        leakage([ObjectCounts("a", 3, value)])
    with pytest.raises(ValueError, match=r"clip 'a': .* isn't a count"):
        leakage([ObjectCounts("a", value, 3)])


def test_what_are_no_clips_is_refused():
    with pytest.raises(ValueError, match="clip 'a' comes twice"):
        leakage([ObjectCounts("a", 1, 1), ObjectCounts("a", 1, 1)])
    with pytest.raises(ValueError, match="n_most is -1"):
        leakage(PAPER, -1)
    with pytest.raises(ValueError, match="n_bootstrap is -1"):
        leakage(PAPER, n_bootstrap=-1)


def test_it_can_be_stored_as_json():
    assert json.loads(json.dumps(asdict(leakage(PAPER))))["n_clips"] == 2
