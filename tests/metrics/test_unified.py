"""Unified score and relative gap: the paper's Tables 6 and 16 to 18, and hand-worked cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics.unified import gap_correlations, relative_gap, unified_score
from tests.metrics.golden import golden

TABLE_6 = golden("carebench_table6.csv")
BENCHMARKS = golden("carebench_table16_17.csv")
# Table 18: r and p.
TABLE_18 = {"words": (0.706, 0.076), "objects": (0.718, 0.069), "actions": (0.523, 0.229)}

percent = st.floats(0, 100)


def number(text):
    return float(text) if text else None


def column(name):
    return [float(row[name]) for row in BENCHMARKS]


def gap_of(row):
    return relative_gap(float(row["care"]), float(row["qwen"])).percent


@pytest.mark.parametrize("row", TABLE_6, ids=lambda row: row["setting"])
def test_the_unified_score_of_table_6_follows_from_its_two_means(row):
    retrieval, caption = float(row["retrieval"]), float(row["caption"])
    score = unified_score(
        text_to_video=retrieval, video_to_text=retrieval, events=caption, objects=caption
    )
    assert round(score.value, 1) == float(row["unified"])


@pytest.mark.parametrize("row", TABLE_6, ids=lambda row: row["setting"])
def test_the_means_of_table_6_follow_from_tables_2_to_4_but_the_baselines(row):
    score = unified_score(
        text_to_video=number(row["t2v_1"]),
        video_to_text=number(row["v2t_1"]),
        events=number(row["events"]),
        objects=number(row["objects"]),
    )
    for name, value in (("retrieval", score.retrieval), ("caption", score.caption)):
        fits, printed = row[f"{name}_fits"], float(row[name])
        if not fits:
            assert value is None
        elif fits == "no":
            assert abs(value - printed) > 0.3
        else:
            assert value == pytest.approx(printed, abs=0.0501 if fits == "rounding" else 1e-9)


@pytest.mark.parametrize("row", BENCHMARKS, ids=lambda row: row["benchmark"])
def test_equation_4_gives_table_17_but_for_a_sign(row):
    sign = -1 if row["fits"] == "sign" else 1
    assert round(gap_of(row), 3) == sign * float(row["gap"])
    assert (row["benchmark"] == "DREAM-1K") == (row["fits"] == "sign")


@pytest.mark.parametrize(
    "row", [row for row in BENCHMARKS if row["care_recalls"]], ids=lambda row: row["benchmark"]
)
def test_table_16_holds_means_over_1_5_and_10(row):
    for model in ("care", "qwen"):
        recalls = [float(value) for value in row[f"{model}_recalls"].split()]
        assert round(sum(recalls) / 6, 2) == float(row[model])


@pytest.mark.parametrize("name", TABLE_18)
def test_table_18_follows_from_equation_4_and_not_from_the_printed_sign(name):
    gaps = [gap_of(row) for row in BENCHMARKS]
    correlation = gap_correlations(gaps, {name: column(name)})[name]
    assert (round(correlation.value, 3), round(correlation.p, 3)) == TABLE_18[name]
    assert correlation.value == pytest.approx(stats.pearsonr(column(name), gaps).statistic)
    printed = gap_correlations(column("gap"), {name: column(name)})[name]
    assert abs(printed.value - TABLE_18[name][0]) > 0.05


def test_seven_benchmarks_do_not_show_what_table_18_is_read_as():
    gaps = [gap_of(row) for row in BENCHMARKS]
    correlations = gap_correlations(gaps, {name: column(name) for name in TABLE_18})
    assert list(correlations) == list(TABLE_18)
    assert all(
        correlation.low < 0 < correlation.high and correlation.p > 0.05
        for correlation in correlations.values()
    )
    assert correlations["words"].warning == (
        "Only 7 benchmarks: the true correlation may lie anywhere from -0.10 to 0.95, so there "
        "may be none."
    )


def test_a_unified_score_by_hand():
    score = unified_score(text_to_video=0.2, video_to_text=0.6, events=0.5, objects=0.7)
    assert (score.retrieval, score.caption, score.value) == pytest.approx((0.4, 0.6, 0.5))
    assert score.reason == ""


def test_what_is_not_known_leaves_undefined_only_what_needs_it():
    score = unified_score(text_to_video=40, video_to_text=60, events=None, objects=20)
    assert (score.retrieval, score.caption, score.value) == (50, None, None)
    assert score.reason == "Without F1 of events there is no score."
    score = unified_score(text_to_video=None, video_to_text=60, events=None, objects=20)
    assert score.reason == "Without R@1 text to video, F1 of events there is no score."


@given(percent, percent, percent, percent)
def test_a_unified_score_lies_between_its_parts(there, back, events, objects):
    score = unified_score(text_to_video=there, video_to_text=back, events=events, objects=objects)
    parts = (there, back, events, objects)
    assert min(parts) - 1e-9 <= score.value <= max(parts) + 1e-9


@pytest.mark.parametrize("value", [-1, 101, float("nan")])
def test_what_is_no_share_is_refused(value):
    with pytest.raises(ValueError, match=r"F1 of objects is .*from 0 to 100"):
        unified_score(text_to_video=1, video_to_text=1, events=1, objects=value)


def test_a_gap_by_hand():
    assert relative_gap(75, 60).percent == 25
    assert relative_gap(45, 60).percent == -25
    none = relative_gap(5, 0)
    assert (none.percent, none.reason) == (None, "The baseline is 0, and the gap divides by it.")


@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(0.01, 10))
def test_a_gap_does_not_depend_on_the_unit(own, baseline, factor):
    gap = relative_gap(own, baseline).percent
    assert relative_gap(own * factor, baseline * factor).percent == pytest.approx(gap, abs=1e-6)
    assert gap >= -100


@pytest.mark.parametrize("value", [-1, float("inf"), float("nan")])
def test_a_gap_of_what_is_no_score_is_refused(value):
    for pair in ((value, 1), (1, value)):
        with pytest.raises(ValueError, match="give a number from 0"):
            relative_gap(*pair)


def test_statistics_of_other_benchmarks_are_refused_by_name():
    with pytest.raises(ValueError, match="words has 2 numbers for 3 benchmarks"):
        gap_correlations([1, 2, 3], {"words": [1, 2]})
