"""Table 15 from stored reports: how metrics correlate with the ratings of a round's models."""

import csv
from pathlib import Path

import pytest

from metrics.correlation import pearson, spearman
from review.captions.models import SetCaption
from review.comparisons.models import System
from review.leaderboard.metrics_by_set import metrics_by_set
from review.reports.services import recompute
from tests.cast import make_clip, make_project
from tests.review.comparisons.comparing import make_set, start_round
from tests.review.comparisons.rounds import by_name, cast, leaderboard_of
from tests.review.leaderboard.correlation import capst, overlap, store
from tests.review.reports.computing import compute_due, due_reports
from tests.review.summary.metric_rows import RATED

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("counted_one_by_one"),
]
A, B, C, D = NAMES = ("Avocet", "Bittern", "Crane", "Dunlin")
TABLES = Path(__file__).parents[2] / "metrics" / "golden" / "carebench_tables.csv"
# Table 15, as printed: negative values are cut off, positive ones rounded.
TABLE_15 = {
    "bleu4": -0.41,
    "meteor": -0.54,
    "rouge_l": -0.19,
    "cider": -0.14,
    "action_f1": 0.81,
    "object_f1": 0.71,
}


@pytest.fixture
def clips(project):
    return [make_clip(project) for _ in range(3)]


def report_of(project):
    [report] = recompute(project=project, name="correlation")
    return report


def metric_of(report, key) -> dict:
    return next(metric for metric in report.result["metrics"] if metric["key"] == key)


class TestMetrics:
    def test_each_stored_number_is_a_metric_in_the_order_of_table_15(self, project, clips):
        sets = [make_set(project, name, clips) for name in (A, B)]
        overlap(project, sets[0], bleu4=1.5, meteor=10.0, rouge_l=15.0, cider=2.0)
        capst(project, sets[1], 30.0, 20.0)
        capst(project, sets[0], 31.0, 21.0, "official")
        metrics = metrics_by_set(project, [caption_set.pk for caption_set in sets])
        assert [(metric.key, metric.values) for metric in metrics] == [
            ("bleu4", {sets[0].pk: 1.5}),
            ("meteor", {sets[0].pk: 10.0}),
            ("rouge_l", {sets[0].pk: 15.0}),
            ("cider", {sets[0].pk: 2.0}),
            ("action_f1", {sets[1].pk: 30.0}),
            ("object_f1", {sets[1].pk: 20.0}),
            ("action_f1_official", {sets[0].pk: 31.0}),
            ("object_f1_official", {sets[0].pk: 21.0}),
            ("words", {sets[0].pk: 3.0, sets[1].pk: 3.0}),
        ]

    def test_the_newest_report_counts_and_what_is_undefined_does_not(self, project, clips):
        caption_set = make_set(project, A, clips)
        overlap(project, caption_set, bleu4=1.5, cider=3.0)
        overlap(project, caption_set, bleu4=2.5, cider=None)
        other = make_project("Other")
        overlap(other, make_set(other, B, [make_clip(other)]), bleu4=9.0)
        metrics = {
            metric.key: metric.values for metric in metrics_by_set(project, [caption_set.pk])
        }
        assert metrics == {"bleu4": {caption_set.pk: 2.5}, "words": {caption_set.pk: 3.0}}


def vote_in(round, clips):
    """Cast votes that mostly rank Avocet above Bittern above Crane."""
    for number, (left, right, outcome) in enumerate(
        [(A, B, "left"), (B, C, "left"), (C, A, "right"), (B, A, "left"), (C, B, "tie")] * 3
    ):
        cast(round, left, right, outcome, f"R{number}", clips[number % 3])


def test_every_metric_is_correlated_with_both_ratings(project, clips):
    round = start_round(project, clips, NAMES[:3])
    vote_in(round, clips)
    ratings = leaderboard_of(round).result
    quality = {A: 30.0, B: 20.0, C: 25.0}
    for system in System.objects.filter(round=round):
        overlap(project, system.caption_set, meteor=quality[system.name])
    metric = metric_of(report_of(project), "meteor")
    assert by_name(metric["values"]) == quality
    for of in ("elo", "bradley_terry"):
        rated = by_name(ratings[of]["ratings"])
        values = [[quality[name] for name in quality], [rated[name] for name in quality]]
        for kind, correlate in (("pearson", pearson), ("spearman", spearman)):
            expected = correlate(*values)
            assert metric[of][kind]["value"] == pytest.approx(expected.value)
            assert (metric[of][kind]["n"], metric[of][kind]["p"]) == (3, pytest.approx(expected.p))
            assert "Only 3 models" in metric[of][kind]["warning"]


def test_table_15_follows_from_the_other_tables_of_the_paper(project, clips):
    with TABLES.open() as file:
        rows = list(csv.DictReader(file))
    round = start_round(project, clips, [f"Model {number}" for number in range(6)])
    systems = list(round.systems.order_by("pk"))
    ratings = {str(system.pk): float(row["elo"]) for system, row in zip(systems, rows, strict=True)}
    elo = {"ratings": ratings, "mean": {}, "sd": {}}
    fitted = {"ratings": ratings, "low": {}, "high": {}, "ranks": None, "reason": ""}
    both = {"elo": elo, "bradley_terry": fitted, "category_marks": []}
    store(project, "leaderboard", str(round.pk), both, RATED)
    for system, row in zip(systems, rows, strict=True):
        words = {name: float(row[name]) for name in ("bleu4", "meteor", "rouge_l", "cider")}
        overlap(project, system.caption_set, **words)
        capst(project, system.caption_set, float(row["action_f1"]), float(row["object_f1"]))
    report = report_of(project)
    values = {key: metric_of(report, key)["elo"]["pearson"]["value"] for key in TABLE_15}
    assert values == pytest.approx(TABLE_15, abs=0.0075)
    assert all(metric_of(report, key)["elo"]["pearson"]["p"] > 0.05 for key in TABLE_15)


def test_a_model_without_a_value_or_without_votes_is_left_out(project, clips):
    round = start_round(project, clips, NAMES)
    vote_in(round, clips)
    leaderboard_of(round)
    for system in round.systems.exclude(name=C):
        overlap(project, system.caption_set, bleu4=float(system.pk))
    report = report_of(project)
    assert set(by_name(metric_of(report, "bleu4")["values"])) == {A, B}
    assert set(by_name(metric_of(report, "words")["values"])) == {A, B, C}
    assert "needs at least 3 models" in metric_of(report, "bleu4")["elo"]["pearson"]["reason"]


def test_equal_values_have_no_correlation(project, clips):
    round = start_round(project, clips, NAMES[:3])
    vote_in(round, clips)
    leaderboard_of(round)
    correlation = metric_of(report_of(project), "words")["bradley_terry"]["pearson"]
    assert (correlation["value"], correlation["p"]) == (None, None)
    assert "same value" in correlation["reason"]


def test_without_ratings_there_is_no_report(project, clips):
    assert recompute(project=project, name="correlation") == []
    round = start_round(project, clips, NAMES)
    assert recompute(project=project, name="correlation") == []
    cast(round, A, B, "left", "R1", clips[0], reasons=["names_model"])
    leaderboard_of(round)
    assert recompute(project=project, name="correlation") == []


def test_it_is_recomputed_when_a_metric_or_the_ratings_change(project, clips):
    round = start_round(project, clips, NAMES[:3])
    vote_in(round, clips)
    leaderboard_of(round)
    before = report_of(project)
    assert report_of(project) == before
    first = round.systems.first()
    overlap(project, first.caption_set, bleu4=1.0)
    after = report_of(project)
    assert after.pk > before.pk
    cast(round, A, C, "right", "late", clips[0])
    leaderboard_of(round)
    assert report_of(project).pk > after.pk
    assert SetCaption.objects.count() == 9


def test_a_new_leaderboard_has_the_correlation_recomputed(
    project, clips, django_capture_on_commit_callbacks
):
    round = start_round(project, clips, NAMES[:3])
    vote_in(round, clips)
    compute_due(project, "leaderboard", django_capture_on_commit_callbacks)
    assert due_reports(project) == ["correlation", "reliability"]
    compute_due(project, "correlation", django_capture_on_commit_callbacks)
    assert due_reports(project) == ["reliability"]
