"""The unified score and the relative gap, of stored reports alone."""

import pytest

from annotate.models import Caption
from inference.models import InferenceRun, ModelSpec
from metrics.correlation import pearson
from review.captions.models import CaptionSet
from review.reports.models import Report
from review.reports.services import recompute
from review.summary.report import unified_inputs
from tests.cast import count_queries, make_clip
from tests.inference.cast import bare_recipe
from tests.review.reports.computing import compute_due, due_reports
from tests.review.retrieval.vectors import three_clips, write
from tests.review.summary.metric_rows import capst_of, import_set, recall_of

pytestmark = pytest.mark.django_db
NAME = "unified"


def reports_of(project):
    return {report.subject: report for report in recompute(project=project, name=NAME)}


def scores_of(project, preset="default"):
    return reports_of(project)[f"scores:{preset}"].result["models"]


def test_nothing_is_computed_from_recall_or_capst_alone(project):
    recall_of(project, "CARE")
    assert reports_of(project) == {}
    Report.objects.all().delete()
    capst_of(project, "CARE")
    assert reports_of(project) == {}


def test_the_score_joins_two_means_as_in_table_6(project):
    recall = recall_of(project, "CARE", 0.77, 0.79)
    capst = capst_of(project, "CARE", 0.352, 0.316)
    [row] = scores_of(project)
    assert row["retrieval"] == pytest.approx(0.78)
    assert row["caption"] == pytest.approx(0.334)
    assert row["value"] == pytest.approx(0.557)
    assert (row["recall"], row["capst"], row["reason"]) == (recall.pk, capst.pk, "")


def test_names_join_whatever_their_capitals_and_spaces(project):
    recall_of(project, "Qwen2-VL 7B")
    capst_of(project, "qwen2-vl  7b")
    [row] = scores_of(project)
    assert row["value"] == pytest.approx(0.375)


def test_a_model_with_only_one_half_says_which_is_missing(project):
    recall_of(project, "CLIP")
    capst_of(project, "GPT-4o mini")
    clip, gpt = scores_of(project)
    assert (clip["model"], clip["retrieval"], clip["value"]) == ("CLIP", 0.375, None)
    assert clip["reason"] == "Without F1 of events, F1 of objects there is no score."
    assert (gpt["model"], gpt["caption"], gpt["value"]) == ("GPT-4o mini", 0.375, None)
    assert gpt["frames"] == ""


def made_by(project, model: str, captions: str) -> None:
    """A set of captions that a run of the model has made."""
    spec, _ = ModelSpec.objects.get_or_create(
        project=project, name=model, defaults={"backend": "transformers-vlm"}
    )
    run = InferenceRun.objects.create(
        project=project,
        kind="caption",
        model=spec,
        recipe=bare_recipe("caption"),
        recipe_hash="x",
        queue="gpu",
    )
    CaptionSet.objects.filter(name=captions).update(run=run)


def test_captions_of_a_run_are_its_models_whatever_they_are_called(project):
    recall_of(project, "Qwen2-VL 7B")
    capst_of(project, "Long prompt")
    assert [row["value"] for row in scores_of(project)] == [None, None]
    made_by(project, "Qwen2-VL 7B", "Long prompt")
    [row] = scores_of(project)
    assert (row["model"], row["captions"]) == ("Qwen2-VL 7B", "Long prompt")
    assert row["value"] == pytest.approx(0.375)
    assert (row["counts"], row["clips"]) == ({"t2v": [12, 100], "v2t": [12, 100]}, 12)


def test_several_sets_of_captions_of_one_model_have_a_row_each(project):
    recall_of(project, "Qwen2-VL 7B")
    for name, f1 in (("Long prompt", 0.2), ("Short prompt", 0.4)):
        capst_of(project, name, f1, f1)
        made_by(project, "Qwen2-VL 7B", name)
    rows = scores_of(project)
    assert [(row["model"], row["captions"], row["caption"]) for row in rows] == [
        ("Qwen2-VL 7B", "Long prompt", pytest.approx(0.2)),
        ("Qwen2-VL 7B", "Short prompt", pytest.approx(0.4)),
    ]
    CaptionSet.objects.filter(name="Long prompt").update(is_used=False)
    [row] = scores_of(project)
    assert row["captions"] == "Short prompt"


def test_a_set_that_bears_the_name_of_vectors_is_of_these(project):
    for name in ("CARE", "Qwen2-VL 7B"):
        recall_of(project, name)
    capst_of(project, "CARE")
    made_by(project, "Qwen2-VL 7B", "CARE")
    assert {row["model"]: row["captions"] for row in scores_of(project)} == {
        "CARE": "CARE",
        "Qwen2-VL 7B": "",
    }


def test_each_preset_has_its_own_scores(project):
    recall_of(project, "CARE")
    capst_of(project, "CARE", 0.1, 0.1, preset="official")
    reports = reports_of(project)
    assert list(reports) == ["scores:official"]
    assert reports["scores:official"].parameters == {
        "preset": "official",
        "models": 1,
        "complete": 1,
        "join": "name or run",
        "prompts": "0 and 1 unknown",
        "theme": "told 0 of 1",
        "asked": reports["scores:official"].parameters["asked"],
    }


def test_vectors_out_of_use_no_longer_count(project):
    of_set = import_set(project, "Long-CLIP")
    recall_of(project, "Long-CLIP", subject=f"import:{of_set.pk}")
    capst_of(project, "Long-CLIP")
    assert "scores:default" in reports_of(project)
    of_set.is_used = False
    of_set.save()
    assert reports_of(project) == {}


def test_a_newer_report_outdates_it_and_an_equal_one_does_not(project):
    recall = recall_of(project, "CARE")
    capst_of(project, "CARE")
    before = reports_of(project)["scores:default"]
    recall_of(project, "CARE", inputs_hash=recall.inputs_hash)
    assert reports_of(project)["scores:default"] == before
    recall_of(project, "CARE", 0.9)
    after = reports_of(project)["scores:default"]
    assert after.pk > before.pk
    assert after.inputs_hash != before.inputs_hash


def test_it_follows_recall_and_capst(project, django_capture_on_commit_callbacks):
    three_clips(project)
    compute_due(project, "recall", django_capture_on_commit_callbacks)
    assert due_reports(project) == [NAME]


def test_the_gap_is_in_percent_of_the_baseline(project):
    # Avg Recall: (0.5 + 0.25 + 2 · 1.7) / 6, and with 0.2 for both (0.4 + 2 · 1.7) / 6.
    own, baseline = recall_of(project, "CARE"), recall_of(project, "Qwen2-VL", 0.2, 0.2)
    reports = reports_of(project)
    result = reports[f"gaps:{baseline.subject}"].result
    assert result["baseline"]["average"] == pytest.approx(3.8 / 6)
    [gap] = result["models"]
    assert (gap["model"], gap["recall"]) == ("CARE", own.pk)
    assert gap["average"] == pytest.approx(4.15 / 6)
    assert gap["percent"] == pytest.approx(100 * 0.35 / 3.8)
    [back] = reports[f"gaps:{own.subject}"].result["models"]
    assert back["percent"] == pytest.approx(-100 * 0.35 / 4.15)


def test_there_is_no_gap_between_different_galleries(project):
    shares = dict.fromkeys(("Sports", "Work", "Home"), 0.5)
    recall_of(project, "Small", gallery=2, categories=shares)
    baseline = recall_of(project, "Large", 0.2, gallery=9, categories=shares)
    result = reports_of(project)[f"gaps:{baseline.subject}"].result
    assert result["baseline"]["counts"] == {"t2v": [12, 9], "v2t": [12, 9]}
    [gap] = result["models"]
    assert (gap["percent"], gap["categories"]) == (None, {})
    assert gap["reason"] == (
        "The recall of 12 queries among 2 is not comparable with the baseline’s recall of "
        "12 queries among 9."
    )


def test_with_few_categories_a_reason_replaces_the_correlation(project):
    write(make_clip(project, category="Sports"))
    shares = {"Sports": 0.5}
    recall_of(project, "CARE", categories=shares)
    baseline = recall_of(project, "Qwen2-VL", 0.2, categories=shares)
    [gap] = reports_of(project)[f"gaps:{baseline.subject}"].result["models"]
    words, objects = gap["correlations"]["words"], gap["correlations"]["objects"]
    assert (words["value"], words["n"], objects["n"]) == (None, 1, 0)
    assert words["reason"] == "A correlation needs at least 3 categories; there are 1."


def test_the_gap_is_correlated_over_categories(project):
    words = {"Sports": 10, "Household": 30, "Personal care": 60, "Work": 55}
    for category, n in words.items():
        clip = make_clip(project, category=category)
        Caption.objects.create(
            project=project, clip=clip, kind="general", source="merged", text="A.", word_count=n
        )
    own = {"Sports": 0.1, "Household": 0.4, "Personal care": 0.6, "Work": 0.3}
    even = dict.fromkeys(words, 0.3)
    recall_of(project, "CARE", categories=own)
    baseline = recall_of(project, "Qwen2-VL", categories=even)
    capst = capst_of(project, "Tarsier", categories={"Sports": 24, "Household": 36, "Work": 96})
    result = reports_of(project)[f"gaps:{baseline.subject}"].result
    assert result["elements_from"] == capst.pk
    assert result["categories"]["Work"] == {
        "captions": 1,
        "words": 55.0,
        "events": 8.0,
        "objects": 16.0,
    }
    assert result["categories"]["Personal care"]["events"] is None
    [gap] = result["models"]
    gaps = {name: 100 * 2 * (own[name] - 0.3) / 4.0 for name in words}
    assert gap["categories"] == pytest.approx(gaps)
    expected = pearson(list(words.values()), [gaps[name] for name in words])
    correlations = gap["correlations"]
    assert correlations["words"]["value"] == pytest.approx(expected.value)
    assert (
        correlations["words"]["n"],
        correlations["events"]["n"],
        correlations["objects"]["n"],
    ) == (4, 3, 3)
    assert "Only 4 categories" in correlations["words"]["warning"]


def test_one_model_has_no_gap(project):
    recall_of(project, "CARE")
    assert list(unified_inputs(project)) == []


def test_more_models_take_no_more_database_queries(project):
    def queries() -> int:
        with count_queries() as count:
            list(unified_inputs(project))
        return int(count)

    for name in ("A", "B"):
        recall_of(project, name)
        capst_of(project, name)
    two = queries()
    for name in ("C", "D"):
        recall_of(project, name)
        capst_of(project, name)
    assert queries() == two
