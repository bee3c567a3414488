"""Reports follow the stored labels."""

import sys
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotate.jobs.services.control import cancel_job
from annotate.jobs.services.queueing import requeue_jobs
from annotate.models.jobs import Job
from review.errors import ReviewError
from review.reports.inputs import Inputs, signature
from review.reports.models import Report
from review.reports.queries import COMPUTE_REPORTS
from review.reports.registry import REPORTS
from review.reports.services import LOST, ask_to_recompute, recompute, recompute_later
from tests.review.reports.computing import (
    compute_as_asked,
    compute_due,
    due_reports,
    messages,
    report_jobs,
    work_on_report,
)
from tests.review.threshold.studying import judge_sample, scored_captions, start_study
from tests.review.verification.verifying import ALL_OK, open_verification, verify
from tests.work import hold
from tests.worker_messages import collect_messages

pytestmark = pytest.mark.django_db
VALUES = [n / 40 for n in range(40)]


@pytest.fixture
def study(project):
    scored_captions(project, VALUES)
    return start_study(project, captions=40)


def report(project) -> Report:
    [made] = recompute(project=project, name="threshold")
    return made


def test_every_method_fits_its_column():
    # SQLite would store a longer one without a word.
    modules = {sys.modules[kind.inputs.__module__] for kind in REPORTS.values()}
    methods = [module.METHOD for module in modules if hasattr(module, "METHOD")]
    longest = Report._meta.get_field("code_version").max_length
    assert len(methods) > 5
    assert [method for method in methods if len(method) > longest] == []


def test_it_finds_the_threshold_that_the_errors_have(project, study, anna):
    judge_sample(study, anna, below=0.5)
    made = report(project)
    estimate = made.result["per_type"]["rules"]["change_point"]
    assert estimate["threshold"] == pytest.approx((19 / 40 + 20 / 40) / 2)
    assert estimate["low"] <= estimate["threshold"] <= estimate["high"]
    assert made.result["per_type"]["auc"] == 1
    assert made.inputs == len(made.result["points"]) == 40
    assert made.result["points"][0] == (made.result["points"][0][0], 0.0, 1.0, 1.0)
    assert made.signature == (
        f"threshold|scorer:{study.scorer[:8]}|captions:40|people:1|bootstrap:1000"
        f"|target:0.1|labels:40|seed:0|method:{made.code_version}|inputs:{made.inputs_hash[:8]}"
    )


def test_a_caption_counts_once_everybody_asked_has_judged_it(project, anna, ben):
    scored_captions(project, VALUES)
    study = start_study(project, captions=40, people=2)
    judge_sample(study, anna, below=0.5)
    empty = report(project)
    assert empty.inputs == 0
    assert empty.result["per_type"]["rules"]["change_point"]["reason"].startswith("0 captions")
    judge_sample(study, ben, below=0.25)
    judged = report(project)
    assert judged.result["points"][12][1:] == (0.3, 0.5, 0.5)
    assert judged.inputs == 80


def test_captions_outside_the_study_do_not_count(project, anna):
    scores = scored_captions(project, VALUES)
    study = start_study(project, captions=20)
    outside = next(s for s in scores if not s.caption.studies.exists())
    verify(hold(anna, open_verification(outside.caption)), outside.caption, ALL_OK)
    assert report(project).inputs == 0
    judge_sample(study, anna, below=0.5)
    assert report(project).inputs == 20


def test_a_report_is_recomputed_only_when_labels_have_changed(project, study, anna, ben):
    judge_sample(study, anna, below=0.5)
    first = report(project)
    assert report(project) == first
    assert recompute(project=project, name="threshold", asked=True) == [first]
    sampled = study.captions.select_related("caption").first()
    verify(hold(ben, open_verification(sampled.caption, 2)), sampled.caption, ALL_OK)
    assert report(project).inputs_hash != first.inputs_hash
    assert Report.objects.count() == 2


def test_a_slow_worker_does_not_make_old_numbers_current(project, study, anna, ben, monkeypatch):
    judge_sample(study, anna, below=0.5)
    inputs_of = REPORTS["threshold"].inputs

    def slow(project):
        [inputs] = inputs_of(project)
        yield replace(inputs, compute=lambda: while_another_is_faster(inputs))

    def while_another_is_faster(inputs):
        compute_with(monkeypatch, inputs_of)
        sampled = study.captions.select_related("caption").first()
        verify(hold(ben, open_verification(sampled.caption, 2)), sampled.caption, ALL_OK)
        report(project)
        return inputs.compute()

    compute_with(monkeypatch, slow)
    current = report(project)
    assert current == Report.objects.newest(project, "threshold").get()
    assert (current.inputs, Report.objects.count()) == (41, 3)


def test_a_submitted_verification_has_it_recomputed(
    project, study, anna, django_capture_on_commit_callbacks, monkeypatch
):
    sent = messages(monkeypatch)
    with django_capture_on_commit_callbacks(execute=True):
        for sampled in study.captions.select_related("caption", "item")[:2]:
            verify(hold(anna, sampled.item), sampled.caption, ALL_OK)
    assert sent == due_reports(project) == ["threshold", "agreement"]


def test_a_change_after_a_worker_is_done_asks_for_it_again(
    project, django_capture_on_commit_callbacks, monkeypatch
):
    sent = messages(monkeypatch)
    compute_due(project, "threshold", django_capture_on_commit_callbacks)
    assert due_reports(project) == []
    compute_due(project, "threshold", django_capture_on_commit_callbacks)
    assert sent == ["threshold"] * 2


def test_what_changes_while_a_worker_computes_is_followed_by_the_next_job(
    project, study, anna, ben, django_capture_on_commit_callbacks, monkeypatch
):
    judge_sample(study, anna, below=0.5)
    sent = messages(monkeypatch)
    inputs_of = REPORTS["threshold"].inputs

    def judged_meanwhile(inputs):
        compute_with(monkeypatch, inputs_of)
        sampled = study.captions.select_related("caption").first()
        with django_capture_on_commit_callbacks(execute=True):
            verify(hold(ben, open_verification(sampled.caption, 2)), sampled.caption, ALL_OK)
        return inputs.compute()

    def slow(project):
        [inputs] = inputs_of(project)
        yield replace(inputs, compute=lambda: judged_meanwhile(inputs))

    compute_with(monkeypatch, slow)
    first = compute_due(project, "threshold", django_capture_on_commit_callbacks)
    assert sent.count("threshold") == 2
    [following] = report_jobs(project, "threshold")
    assert following.pk > first.pk
    second = compute_due(project, "threshold", django_capture_on_commit_callbacks)
    assert second.pk == following.pk
    assert Report.objects.newest(project, "threshold").get().inputs == 41
    assert report_jobs(project, "threshold") == []


def test_what_changes_before_a_worker_reads_the_labels_needs_no_second_job(
    project, study, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        recompute_later(project.pk, "threshold")
        recompute_later(project.pk, "threshold")
    compute_due(project, "threshold", django_capture_on_commit_callbacks)
    assert due_reports(project) == []


def test_what_fails_says_why_and_the_next_change_asks_for_it(
    project, django_capture_on_commit_callbacks, monkeypatch
):
    def broken(project):
        raise ValueError("The disk is full.")

    compute_with(monkeypatch, broken)
    job = compute_due(project, "threshold", django_capture_on_commit_callbacks)
    assert (job.state, job.reason) == ("failed", "The disk is full.")
    compute_due(project, "threshold", django_capture_on_commit_callbacks)
    assert Job.objects.get(kind=COMPUTE_REPORTS).pk > job.pk


def test_only_the_last_job_that_follows_labels_is_kept(
    project, rita, django_capture_on_commit_callbacks
):
    requested = compute_as_asked(project, "threshold")
    for _ in range(3):
        last = compute_due(project, "threshold", django_capture_on_commit_callbacks)
    assert list(Job.objects.filter(kind=COMPUTE_REPORTS)) == [last, requested]


def test_a_canceled_job_stores_nothing(project, study, anna, rita, monkeypatch):
    judge_sample(study, anna, below=0.5)
    ask_to_recompute(project=project, name="threshold", person=rita)
    [job] = report_jobs(project, "threshold")
    inputs_of = REPORTS["threshold"].inputs

    def canceled_meanwhile(project):
        for inputs in inputs_of(project):
            cancel_job(job=job, admin=None)
            yield inputs

    compute_with(monkeypatch, canceled_meanwhile)
    assert work_on_report(project, "threshold").state == "cancelled"
    assert not Report.objects.exists()
    assert due_reports(project) == []


@pytest.mark.parametrize("by_clock", [True, False])
def test_a_lost_message_is_sent_again(
    project, by_clock, django_capture_on_commit_callbacks, monkeypatch
):
    """By the clock, or once by the next change."""
    sent = messages(monkeypatch)
    with monkeypatch.context() as patched, django_capture_on_commit_callbacks(execute=True):
        collect_messages(patched)
        recompute_later(project.pk, "ratings")
    Job.objects.update(queued_at=timezone.now() - LOST - timedelta(seconds=1))
    for _ in range(1 if by_clock else 2):
        with django_capture_on_commit_callbacks(execute=True):
            requeue_jobs() if by_clock else recompute_later(project.pk, "ratings")
    assert sent == ["ratings"]


def test_simulated_labels_are_named(project, study):
    project.is_simulated = True
    assert report(project).signature.startswith("threshold|simulated|")


def test_a_name_is_no_part_of_a_signature_but_its_own(project):
    inputs = Inputs("", "metrics.recall 1", {"model": "CARE|seed:9"}, [], 0, dict)
    assert signature(project, "recall", inputs) == (
        f"recall|model:CARE seed:9|labels:0|seed:0|method:metrics.recall 1|inputs:{inputs.hash[:8]}"
    )


def test_the_command_says_how_the_numbers_were_made(project, study, anna):
    judge_sample(study, anna, below=0.5)
    out = StringIO()
    call_command("recompute", project.slug, "threshold", stdout=out)
    assert out.getvalue() == f"{Report.objects.get().signature}\n"


def test_the_command_says_since_when_nothing_has_changed(project, study, anna):
    judge_sample(study, anna, below=0.5)
    made = report(project)
    out = StringIO()
    call_command("recompute", project.slug, "threshold", stdout=out)
    since = timezone.localtime(made.created_at).strftime("%Y-%m-%d %H:%M")
    assert out.getvalue() == f"Nothing has changed since {since} UTC: {made.signature}\n"
    assert Report.objects.get() == made


def test_the_command_says_when_there_is_nothing(project):
    out = StringIO()
    call_command("recompute", project.slug, "threshold", stdout=out)
    nothing = "Nothing to compute threshold from yet. The page Metrics says what to start."
    assert out.getvalue() == f"{nothing}\n"
    with pytest.raises(CommandError, match="There is no project 'nowhere'"):
        call_command("recompute", "nowhere", "threshold")


def test_an_unknown_report_is_refused(project):
    with pytest.raises(ReviewError, match="has no report “elo”; it has threshold"):
        recompute(project=project, name="elo")


def test_the_command_lists_the_words_to_type(project):
    with pytest.raises(CommandError, match=r"choose from '?agreement"):
        call_command("recompute", project.slug, "nonsense")


def test_an_undefined_number_is_reported_as_a_fault_and_not_stored(project, monkeypatch):
    broken = Inputs("", "none 1", {}, [], 0, lambda: {"value": float("nan")})
    compute_with(monkeypatch, lambda project: [broken])
    with pytest.raises(ReviewError, match="a bug in Vericap"):
        recompute(project=project, name="threshold")
    assert not Report.objects.exists()


def compute_with(monkeypatch, inputs):
    """Have the threshold's report computed from these `inputs`."""
    kind = replace(REPORTS["threshold"], inputs=inputs, result=dict)
    monkeypatch.setitem(REPORTS, "threshold", kind)
