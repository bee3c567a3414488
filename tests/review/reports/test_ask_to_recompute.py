"""A person asks a worker for reports, and is told what became of it; verdicts ask too."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from inference.backends.protocols import BackendError
from review.reports import jobs
from review.reports.agreement_due import MAX_FOLLOWED
from review.reports.models import Report
from review.reports.queries import PATIENCE, Request
from review.reports.registry import REPORTS
from review.reports.services import ask_to_recompute, recompute_later
from review.retrieval import text_vectors
from review.triplets import verdicts
from tests.review.composed.retrieval import ask, judge, report_of
from tests.review.reports.computing import (
    compute_as_asked,
    compute_due,
    last_request,
    messages,
    report_jobs,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch):
    """What has been sent to workers."""
    return messages(monkeypatch)


def ask_for_map(project, person):
    ask_to_recompute(project=project, name="map", person=person)


def test_it_waits_until_a_worker_has_answered(
    project, rita, sent, django_capture_on_commit_callbacks
):
    ask(project)
    assert last_request(project, "map") is None
    with django_capture_on_commit_callbacks(execute=True):
        ask_for_map(project, rita)
    assert sent == ["map"]
    assert last_request(project, "map").is_waiting
    assert last_request(project, "ratings") is None
    compute_as_asked(project, "map")
    assert not last_request(project, "map").is_waiting
    assert Report.objects.count() == 1


def test_a_report_stays_where_nothing_has_changed_and_the_person_is_told(project, rita):
    ask(project)
    before = report_of(project)
    compute_as_asked(project, "map")
    assert Report.objects.get() == before
    assert last_request(project, "map").found_nothing_new


def test_a_person_who_mended_the_model_gets_numbers(project, rita, monkeypatch):
    ask(project)

    def fail(model, texts):
        raise BackendError("server", "There is no server.")

    with monkeypatch.context() as patched:
        patched.setattr(text_vectors, "text_vectors", fail)
        assert report_of(project).result["mend"] == "model"
    assert report_of(project).result["mend"] == "model"
    compute_as_asked(project, "map")
    assert Report.objects.newest(project, "map").get().result["baselines"]
    assert not last_request(project, "map").found_nothing_new


def test_who_asks_while_a_worker_follows_labels_is_told_too(
    project, rita, sent, django_capture_on_commit_callbacks
):
    ask(project)
    with django_capture_on_commit_callbacks(execute=True):
        recompute_later(project.pk, "map")
        ask_for_map(project, rita)
    assert sent == ["map"]
    assert last_request(project, "map").is_waiting
    assert compute_as_asked(project, "map").created_by == rita
    assert not last_request(project, "map").is_waiting


def test_who_asks_after_a_worker_has_read_the_labels_gets_a_job_of_their_own(
    project, rita, monkeypatch, django_capture_on_commit_callbacks
):
    ask(project)
    inputs_of = REPORTS["map"].inputs

    def asked_meanwhile(project):
        monkeypatch.setitem(REPORTS, "map", replace(REPORTS["map"], inputs=inputs_of, result=dict))
        ask_for_map(project, rita)
        return inputs_of(project)

    monkeypatch.setitem(
        REPORTS, "map", replace(REPORTS["map"], inputs=asked_meanwhile, result=dict)
    )
    compute_due(project, "map", django_capture_on_commit_callbacks)
    [job] = report_jobs(project, "map")
    assert job.created_by == rita
    assert last_request(project, "map").is_waiting


def test_what_went_wrong_is_told(project, rita, monkeypatch):
    def fail(**arguments):
        raise ValueError("Vectors of 512 and of 768 numbers can't be compared.")

    ask_for_map(project, rita)
    monkeypatch.setattr(jobs, "recompute", fail)
    compute_as_asked(project, "map")
    request = last_request(project, "map")
    assert request.error == "Vectors of 512 and of 768 numbers can't be compared."
    assert not request.is_waiting
    monkeypatch.undo()
    ask(project)
    report_of(project)
    assert last_request(project, "map").error == ""


def test_a_request_without_an_answer_is_late_in_the_end():
    now = timezone.now()
    assert not Request(now, is_waiting=True, error="").is_late
    long_ago = now - PATIENCE - timedelta(seconds=1)
    assert Request(long_ago, is_waiting=True, error="").is_late
    assert not Request(long_ago, is_waiting=False, error="").is_late


def test_that_nothing_was_new_is_told_for_a_while():
    now = timezone.now()
    assert Request(now, is_waiting=False, error="", is_new=False).found_nothing_new
    assert not Request(now, is_waiting=False, error="", is_new=True).found_nothing_new
    long_ago = now - PATIENCE - timedelta(seconds=1)
    assert not Request(long_ago, is_waiting=False, error="", is_new=False).found_nothing_new


def test_a_verdict_has_the_agreement_follow(
    project, anna, ben, sent, django_capture_on_commit_callbacks
):
    [query] = ask(project)
    with django_capture_on_commit_callbacks(execute=True):
        judge(query, anna, valid=query.targets.values_list("target", flat=True))
    assert sent == ["agreement"]


def test_a_large_agreement_waits_until_somebody_looks_at_it(
    project, anna, sent, django_capture_on_commit_callbacks
):
    [query] = ask(project)
    Report.objects.create(
        project=project, name="agreement", subject="sentences", inputs=MAX_FOLLOWED + 1, result={}
    )
    with django_capture_on_commit_callbacks(execute=True):
        judge(query, anna, valid=query.targets.values_list("target", flat=True))
    assert sent == []


def test_a_verdict_renews_the_numbers_that_there_are(
    project, anna, ben, sent, django_capture_on_commit_callbacks
):
    [query] = ask(project)
    targets = list(query.targets.values_list("target", flat=True))
    with django_capture_on_commit_callbacks(execute=True):
        judge(query, anna, valid=targets)
    assert "map" not in sent
    report_of(project)
    with django_capture_on_commit_callbacks(execute=True):
        judge(query, ben, valid=targets)
    assert "map" in sent


def test_large_numbers_are_renewed_when_a_person_asks_for_it(
    project, anna, sent, monkeypatch, django_capture_on_commit_callbacks
):
    query, _ = ask(project, 2)
    report_of(project)
    monkeypatch.setattr(verdicts, "MAX_FOLLOWED", 1)
    with django_capture_on_commit_callbacks(execute=True):
        judge(query, anna, valid=query.targets.values_list("target", flat=True))
    assert "map" not in sent
