"""CapST as a report: from what a run found, with how it was found in the signature."""

import pytest

from annotate.jobs.services.control import cancel_job, retry_job
from review.capst.models import CapstItem
from review.elements.models import Extraction
from review.reports.models import Report
from review.reports.services import recompute
from review.summary.loading import load
from tests.cast import make_project
from tests.review.capst.capst_runs import (
    PREDICTION,
    described_clip,
    judge,
    predictions,
    start,
    word_overlap,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept):
    project = make_project()
    clips = [described_clip(project), described_clip(project, category="Sports")]
    captions = predictions(project, "Model A", dict.fromkeys(clips, PREDICTION))
    return {"project": project, "clips": clips, "captions": captions}


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def captions(shared):
    return shared["captions"]


def report_of(project, name="capst") -> Report:
    [report] = recompute(project=project, name=name)
    return report


def run_of(project, captions, **how):
    run = start(project, captions, word_overlap(project), **how)
    judge(run=run)
    return run


class TestCapst:
    def test_the_numbers_are_those_of_the_judgments(self, project, captions):
        # Events: 1 of 2 of the reference, 0 of 1 predicted. Objects: 3 of 3, and 3 of 4.
        run_of(project, captions)
        result = report_of(project).result
        events, objects = result["events"], result["objects"]
        assert (events["recall"]["value"], events["precision"]["value"]) == (0.5, 0.0)
        assert (objects["recall"]["value"], objects["precision"]["value"]) == (1.0, 0.75)
        assert events["f1"]["value"] == 0.0
        assert objects["f1"]["value"] == pytest.approx(2 * 0.75 / 1.75)
        assert sorted(result["by_category"]) == ["Household", "Sports"]
        assert result["n_samples"] == 2

    def test_the_signature_names_the_judge_the_choices_and_what_people_checked(
        self, project, captions
    ):
        run = run_of(project, captions)
        report = report_of(project)
        assert report.subject == f"{captions.pk}:default"
        assert report.signature.startswith(
            "capst|captions:Model A|prompt:unknown|frames:unknown|theme:unknown|"
            f"run:{run.pk}|preset:default|references:split|"
            "extractor:word-overlap 1|judge:word-overlap 1|clips:2|failed:0|checked:0/4|"
        )

    def test_what_people_checked_is_counted(self, project, captions, anna):
        run_of(project, captions)
        for parent in Extraction.objects.filter(caption__source="human"):
            Extraction.objects.create(
                caption=parent.caption, kind=parent.kind, elements=parent.elements, author=anna,
                parent=parent, recipe=parent.recipe, method=parent.method,
            )  # fmt: skip
        run_of(project, captions)
        assert "|checked:4/4|" in report_of(project).signature

    def test_the_official_choices_have_a_report_of_their_own(self, project, captions):
        run_of(project, captions)
        run_of(project, captions, preset="official")
        reports = {report.subject: report for report in recompute(project=project, name="capst")}
        assert sorted(reports) == [f"{captions.pk}:default", f"{captions.pk}:official"]
        official = reports[f"{captions.pk}:official"]
        assert "|preset:official|references:full|" in official.signature
        assert official.result["preset"]["empty"] == 1.0

    def test_without_an_answer_the_list_is_left_out_or_officially_the_sample(
        self, project, captions
    ):
        for preset in ("default", "official"):
            run = run_of(project, captions, preset=preset)
            item = run.items.first()
            item.results["events"]["predicted"] |= {"judged": None, "failure": "No JSON."}
            CapstItem.objects.filter(pk=item.pk).update(results=item.results, state="failed")
        default, official = recompute(project=project, name="capst")
        assert [report.result["events"]["recall"]["n"] for report in (default, official)] == [2, 1]
        assert [report.result["events"]["precision"]["n"] for report in (default, official)] == [
            1,
            1,
        ]
        assert "|failed:1|" in default.signature

    def test_an_unfinished_run_has_no_result(self, project, captions):
        start(project, captions, word_overlap(project))
        assert recompute(project=project, name="capst") == []

    def test_the_newest_finished_run_is_current(self, project, captions):
        run_of(project, captions)
        before = report_of(project)
        newest = run_of(project, captions)
        start(project, captions, word_overlap(project))
        report = report_of(project)
        assert (report.result["run"], report.pk > before.pk) == (newest.pk, True)
        assert report_of(project) == report

    @pytest.fixture
    def retried(self, project, captions, ada):
        """The second run of the captions, which failed on an item and is being retried, and the
        report before the retry."""
        run_of(project, captions)
        report_of(project)
        run = run_of(project, captions)
        item = run.items.first()
        item.results["events"]["predicted"] |= {"judged": None, "failure": "No JSON."}
        CapstItem.objects.filter(pk=item.pk).update(results=item.results, state="failed")
        report = report_of(project)
        retry_job(job=run, admin=ada)
        return run, report

    def test_an_older_run_does_not_replace_one_that_is_retried(self, project, retried):
        run, before = retried
        assert before.result["run"] == run.pk
        assert recompute(project=project, name="capst", asked=True) == []
        assert list(Report.objects.newest(project, "capst")) == [before]
        assert old_of(project) == set()

    def test_an_older_run_does_not_replace_a_cancelled_retry(self, project, retried, ada):
        run, before = retried
        cancel_job(job=run, admin=ada)
        assert recompute(project=project, name="capst", asked=True) == []
        assert list(Report.objects.newest(project, "capst")) == [before]
        assert old_of(project) == set()

    def test_a_finished_retry_has_new_numbers(self, project, retried):
        run, before = retried
        run.refresh_from_db()
        judge(run=run)
        report = report_of(project)
        assert (report.result["run"], report.parameters["failed"]) == (run.pk, 0)
        assert (before.parameters["failed"], report.pk > before.pk) == (1, True)
        assert old_of(project) == set()

    def test_a_run_cancelled_before_it_finished_replaces_no_other(self, project, captions, ada):
        first = run_of(project, captions)
        second = start(project, captions, word_overlap(project))
        cancel_job(job=second, admin=ada)
        assert report_of(project).result["run"] == first.pk
        retry_job(job=second, admin=ada)
        assert report_of(project).result["run"] == first.pk


def old_of(project) -> set[int]:
    return load(project).old
