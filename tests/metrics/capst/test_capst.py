"""CapST: hand-worked cases, what always holds, and the interval over clips."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.capst import (
    OFFICIAL,
    ClipScores,
    Judged,
    Sample,
    capst,
    f1_of,
    relationship_of,
    score_clip,
)
from tests.metrics.capst.judgments import sample, spell_out

lists = st.one_of(st.none(), st.text("enc", max_size=4))
branches = st.tuples(lists, lists)
samples = st.lists(
    st.tuples(branches, branches, st.sampled_from(["", "Household", "Sports"])), max_size=12
).map(
    lambda rows: [
        sample(clip, events, objects, category)
        for clip, (events, objects, category) in enumerate(rows)
    ]
)
presets = st.sampled_from(["default", "official"])


def test_both_presets_are_worked_out_by_hand():
    rows = [
        # Two of four reference events are entailed; one of the two predicted ones.
        sample("a", ("eenc", "en"), ("e", "c")),
        # One of two; the prediction has no event.
        sample("b", ("en", ""), ("n", "e")),
    ]
    ours, theirs = capst(rows), capst(rows, "official")
    assert (ours.events.recall.value, ours.events.precision.value) == (0.5, 0.5)
    assert ours.events.f1.value == 0.5
    # The list without events scores 1.0: the mean of 0.5 and 1.
    assert (theirs.events.recall.value, theirs.events.precision.value) == (0.5, 0.75)
    assert theirs.events.f1.value == 2 * 0.5 * 0.75 / 1.25
    assert ours.objects.f1.value == theirs.objects.f1.value == 0.5
    assert (ours.preset.references, theirs.preset.references) == ("split", "full")


def test_f1_is_of_the_means_not_the_mean_of_f1():
    rows = [sample("a", ("e", "n")), sample("b", ("n", "e"))]
    assert capst(rows).events.f1.value == 0.5
    alone = [capst([row]).events.f1.value for row in rows]
    assert alone == [0, 0]


def test_it_counts_what_it_rests_on():
    rows = [
        sample("a", ("eenc", "en")),
        sample("b", ("cc", "")),
        sample("c", (None, "e")),
    ]
    report = capst(rows)
    recall, precision = report.events.recall, report.events.precision
    assert (recall.n, recall.n_empty, recall.n_failed, recall.n_dropped) == (2, 0, 1, 0)
    assert (recall.n_elements, recall.n_entailed) == (6, 2)
    assert (recall.n_neutral, recall.n_contradicted) == (1, 3)
    assert (precision.n, precision.n_empty, precision.n_failed) == (2, 1, 0)
    assert (report.n_samples, report.n_failed) == (3, 1)
    assert precision.value == 0.75


def test_official_leaves_a_sample_out_whole_where_anything_failed():
    rows = [sample("a", ("en", "e")), sample("b", ("e", "e"), (None, "n"))]
    report = capst(rows, "official")
    assert report.events.recall.value == 0.5
    assert (report.events.recall.n, report.events.recall.n_dropped) == (1, 1)
    assert (report.events.recall.n_failed, report.objects.recall.n_failed) == (0, 1)
    assert (report.objects.precision.n, report.objects.precision.n_dropped) == (1, 1)
    assert report.n_failed == 1
    ours = capst(rows)
    assert ours.events.recall.value == 0.75
    assert (ours.objects.recall.n, ours.objects.precision.n) == (1, 2)


def test_more_elements_than_were_asked_for_count_and_are_reported():
    rows = [sample("a", ("e" * 10 + "n" * 10, "e")), sample("b", ("e" * 10, "e"))]
    theirs, ours = capst(rows, "official"), capst(rows)
    assert theirs.events.recall.value == ours.events.recall.value == 0.75
    assert (theirs.events.recall.n_over_limit, ours.events.recall.n_over_limit) == (1, 0)


def test_nothing_entailed_gives_an_f1_of_0():
    for preset in ("default", "official"):
        events = capst([sample("a", ("nc", "c")), sample("b", ("n", "n"))], preset).events
        assert (events.recall.value, events.precision.value, events.f1.value) == (0, 0, 0)
        assert (events.f1.low, events.f1.high, events.f1.reason) == (0, 0, "")


def test_an_undefined_score_is_none_with_its_reason():
    events = capst([sample("a", ("e", "")), sample("b", ("n", None))]).events
    assert events.recall.value == 0.5
    assert (events.precision.value, events.precision.n_defined) == (None, 0)
    assert events.precision.reason == "No sample has an element of the prediction that was judged."
    assert (events.f1.value, events.f1.reason) == (None, events.precision.reason)
    turned = capst([sample("a", ("", "e"))]).events
    assert turned.f1.reason == "No sample has an element of the reference that was judged."


def test_without_samples_all_is_undefined():
    for preset in ("default", "official"):
        report = capst([], preset)
        assert report.events.f1.value is None
        assert (report.n_samples, report.by_category) == (0, {})


def test_each_category_is_as_if_it_were_alone():
    sport = [sample(n, ("en", "e"), category="Sports") for n in range(3)]
    home = [sample(n, ("eeen", "c"), category="Household") for n in range(3, 5)]
    report = capst([*sport, *home])
    assert list(report.by_category) == ["Household", "Sports"]
    assert report.by_category["Sports"].events == capst(sport).events
    assert report.by_category["Household"].objects == capst(home).objects
    # Over all five samples, not (0.5 + 0.75) / 2.
    assert report.events.recall.value == 0.6


def test_the_scores_of_one_clip():
    partial = sample("a", ("een", ""), ("c", None))
    assert score_clip(partial) == ClipScores(2 / 3, None, 0, None)
    assert score_clip(partial, "official") == ClipScores(None, None, None, None)
    whole = sample("a", ("een", ""), ("c", "e"))
    assert score_clip(whole, "official") == ClipScores(2 / 3, 1, 0, 1)


def test_a_custom_preset_is_recorded():
    own = replace(OFFICIAL, name="official, split", references="split")
    report = capst([sample("a")], own)
    assert report.preset == own
    for wrong, words in (
        ({"references": "both"}, "give split or full"),
        ({"most_elements": 0}, "1 or more"),
        ({"empty": 2}, "from 0 to 1"),
    ):
        with pytest.raises(ValueError, match=words):
            replace(OFFICIAL, **wrong)


@pytest.mark.parametrize("value", ["Entailment", " entailment", "entails", "", None, 1, []])
def test_an_unknown_relationship_is_refused(value):
    with pytest.raises(ValueError, match="not a relationship: give entailment, neutral or contra"):
        relationship_of(value)
    bad = Sample("v1", "", Judged(spell_out("e"), ["entailment", value]), Judged([], []))
    for preset in ("default", "official"):
        with pytest.raises(ValueError, match="clip 'v1', event 2: "):
            capst([bad], preset)
    with pytest.raises(ValueError, match="clip 'v1', event 2: "):
        score_clip(bad)


def test_anything_but_samples_is_refused():
    with pytest.raises(ValueError, match="clip 'a' comes twice"):
        capst([sample("a"), sample("a")])
    with pytest.raises(ValueError, match="no preset 'ours'; give default or official"):
        capst([sample("a")], "ours")
    with pytest.raises(ValueError, match="n_bootstrap is -1"):
        capst([], n_bootstrap=-1)
    text = Sample("a", "", Judged([], []), Judged("entailment", []))
    with pytest.raises(ValueError, match="clip 'a', objects: give a list"):
        capst([text])


@pytest.mark.parametrize(
    ("recall", "precision", "f1"),
    [(0.5, 1, 2 / 3), (30, 30, 30), (0, 0, 0), (0, 1, 0), (None, 1, None), (1, None, None)],
)
def test_f1_by_hand(recall, precision, f1):
    assert f1_of(recall, precision) == f1


@pytest.mark.parametrize("recall", [-1, float("nan")])
def test_f1_of_anything_but_shares_is_refused(recall):
    with pytest.raises(ValueError, match="numbers from 0"):
        f1_of(recall, 1)


@settings(deadline=None)
@given(samples, presets, st.randoms())
def test_it_is_bounded_adds_up_and_ignores_order(rows, preset, random):
    report = capst(rows, preset, n_bootstrap=20)
    shuffled = random.sample(rows, len(rows))
    assert capst(shuffled, preset, n_bootstrap=20) == report
    for group in (report, *report.by_category.values()):
        for branch in (group.events, group.objects):
            for share in (branch.recall, branch.precision):
                assert (share.value is None) == (share.n == 0)
                assert share.n_elements == share.n_entailed + share.n_neutral + share.n_contradicted
                left_out = share.n_failed + share.n_dropped
                left_out += share.n_empty if preset == "default" else 0
                assert share.n + left_out == group.n_samples
            assert branch.f1.value == f1_of(branch.recall.value, branch.precision.value)
            for estimate in (branch.recall, branch.precision, branch.f1):
                assert estimate.value is None or 0 <= estimate.value <= 1
                if estimate.low is None:
                    assert estimate.reason
                else:
                    assert 0 <= estimate.low <= estimate.high <= 1
    assert sum(group.n_samples for group in report.by_category.values()) == len(rows)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=8), presets)
def test_entailing_everything_is_1(sizes, preset):
    rows = [sample(n, ("e" * a, "e" * b), ("e" * b, "e" * a)) for n, (a, b) in enumerate(sizes)]
    report = capst(rows, preset, n_bootstrap=10)
    for branch in (report.events, report.objects):
        assert (branch.recall.value, branch.precision.value, branch.f1.value) == (1, 1, 1)


@settings(deadline=None)
@given(samples, presets)
def test_the_means_are_those_of_the_clips(rows, preset):
    scores = [score_clip(row, preset).objects_precision for row in rows]
    defined = [score for score in scores if score is not None]
    expected = pytest.approx(np.mean(defined)) if defined else None
    assert capst(rows, preset, n_bootstrap=0).objects.precision.value == expected


def many(n=200, seed=0):
    random = np.random.default_rng(seed)

    def letters(share):
        return "".join(random.choice(list("enc"), random.integers(0, 9), p=share))

    low, high = (0.3, 0.4, 0.3), (0.6, 0.3, 0.1)
    return [
        sample(clip, (letters(low), letters(high)), (letters(low), letters(high)))
        for clip in range(n)
    ]


def test_an_independent_resampling_gives_the_same_intervals():
    rows = many()
    events = capst(rows, n_bootstrap=2000).events
    scores = [score_clip(row) for row in rows]
    shares = np.array(
        [(score.events_recall, score.events_precision) for score in scores], dtype=float
    )
    random = np.random.default_rng(9)
    means = np.array(
        [np.nanmean(shares[random.integers(0, len(rows), len(rows))], axis=0) for _ in range(2000)]
    )
    f1s = 2 * means.prod(axis=1) / means.sum(axis=1)
    for estimate, values in zip(
        (events.recall, events.precision, events.f1), (*means.T, f1s), strict=True
    ):
        low, high = np.percentile(values, [2.5, 97.5])
        assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=0.1 * (high - low))
        assert estimate.low < estimate.value < estimate.high


def test_the_seed_repeats_the_intervals():
    first, again, other = (capst(many(), n_bootstrap=100, seed=seed) for seed in (4, 4, 5))
    assert first == again
    assert first.events.f1 != other.events.f1
    assert first.events.f1.value == other.events.f1.value


def test_what_rests_on_one_clip_has_no_interval():
    rows = [sample(0, ("en", "e")), *(sample(n, ("", "en")) for n in range(1, 30))]
    events = capst(rows).events
    assert (events.recall.value, events.recall.low) == (0.5, None)
    assert events.recall.reason == "One unit can't be resampled, so there is no interval."
    assert events.precision.low is not None
    assert events.f1.low is None


def test_it_can_be_stored_as_json():
    stored = asdict(capst(many(20), n_bootstrap=10))
    assert json.loads(json.dumps(stored))["preset"]["name"] == "default"
