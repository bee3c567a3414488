"""The page Agreement, and asking for its numbers."""

import re
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from annotate.jobs.services.workers import record_beat
from annotate.models import Project, WorkerBeat
from review.agreement import report as agreement_reports
from review.agreement.words import TASKS, small_sample, verdict_on
from review.reports.answers import Question, question_result
from review.reports.models import Report
from review.reports.services import recompute
from review.verification.models import Verification
from tests.cast import client_of, count_queries, make_clip, make_person
from tests.hand_work import machine_caption
from tests.review.agreement.agreeing import THREE, label_sentences, open_round, rate_all, vote
from tests.review.reports.addresses import address
from tests.review.reports.computing import due_reports, failed_job, messages

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(project):
    return reverse("review:report_page", args=[project.slug, "agreement"])


@pytest.fixture
def recompute_url(project):
    return reverse("review:recompute_report", args=[project.slug, "agreement"])


@pytest.fixture
def sent(monkeypatch):
    """What has been sent to workers."""
    return messages(monkeypatch)


def judge(project, *people, captions=4):
    """Label A in every other caption for everybody, but not in the first for the last person."""
    for number in range(captions):
        caption = machine_caption(make_clip(project), THREE)
        for place, person in enumerate(people):
            differs = number == 0 and place == len(people) - 1 and place > 0
            label_sentences(caption, person, "A" if number % 2 == 0 and not differs else "", "", "")


def compute(project):
    return recompute(project=project, name="agreement")


def words_of(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def test_it_shows_the_numbers_and_how_they_were_made(
    project, anna, ben, rita, ada, url, recompute_url
):
    judge(project, anna, ben)
    compute(project)
    text = client_of(rita).get(url).text
    words = words_of(text)
    assert "All types of a sentence 12 sentences, 2 people, 24 labels compared" in words
    assert "Equal labels 0.92" in words
    assert "Cohen’s kappa 0.63" in words
    assert "Too few for a verdict" in words
    assert "Anna, Ben 12 0.92 0.63" in words
    assert "Theme" in words
    for report in Report.objects.all():
        assert report.signature in text
    assert "newer verification" not in text
    assert recompute_url not in text
    assert recompute_url in client_of(ada).get(url).text


@pytest.mark.parametrize(("captions", "is_shown"), [(3, False), (4, True)])
def test_too_few_units_have_a_reason_instead_of_an_interval(
    project, anna, ben, rita, url, captions, is_shown
):
    judge(project, anna, ben, captions=captions)
    [report] = [report for report in compute(project) if report.subject == "sentences"]
    [equal] = [
        measure
        for measure in report.result["questions"][0]["measures"]
        if measure["measure"] == "percent_agreement"
    ]
    assert equal["low"] is not None, "the report keeps what was computed"
    words = words_of(client_of(rita).get(url).text).split("All types of a sentence")[1]
    why = "From 9 sentences; an interval needs at least 10."
    assert (why in words) == (not is_shown)
    assert (f"{equal['low']:.2f} to {equal['high']:.2f}" in words) == is_shown


def test_what_is_not_defined_says_why(project, anna, ben, rita, url):
    judge(project, anna, ben)
    compute(project)
    words = words_of(client_of(rita).get(url).text)
    assert "D: off topic 12 sentences, 2 people, 24 labels compared Equal labels 1.00" in words
    assert "All labels are the same, so agreement beyond chance is undefined." in words


def test_with_one_person_it_says_how_to_get_a_second(project, anna, rita, url):
    judge(project, anna)
    compute(project)
    words = words_of(client_of(rita).get(url).text)
    assert "Only one person has labeled; agreement takes two. Start a threshold study" in words


def test_names_are_on_the_page_and_in_no_report(project, rita, url):
    person = make_person("<b>Bo</b>", project, "annotator")
    judge(project, person, "<i>A1</i>")
    for report in compute(project):
        assert "Bo" not in str(report.result)
    text = client_of(rita).get(url).text
    assert "&lt;b&gt;Bo&lt;/b&gt;, &lt;i&gt;A1&lt;/i&gt; (imported)" in text
    assert "<b>Bo" not in text
    assert "<i>A1" not in text


def test_comparisons_show_repeats_and_the_share_of_the_left_side(project, anna, rita, url):
    pair = open_round(project, 2)
    first = vote(pair, 0, anna, "left")
    vote(pair, 0, rita, "right", first_left=False)
    vote(pair, 0, anna, "right", first_left=False, repeat_of=first)
    compute(project)
    words = words_of(client_of(rita).get(url).text)
    assert "Repeats with the same outcome 1 of 1 1.00" in words
    assert "Decided votes for the left side 1 of 3 0.33" in words


def test_old_numbers_are_marked_and_a_worker_is_asked_once(
    project, anna, ben, rita, url, sent, django_capture_on_commit_callbacks
):
    judge(project, anna, ben)
    compute(project)
    with django_capture_on_commit_callbacks(execute=True):
        text = client_of(rita).get(url).text
    assert "Labels have changed" not in text
    assert sent == []
    judge(project, anna, captions=1)
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            text = client_of(rita).get(url).text
    assert "1 newer verification</span>" in text
    assert "Labels have changed. A worker will recompute" in text
    assert sent == ["agreement"]
    assert due_reports(project) == ["agreement"]


def test_a_waiting_page_asks_a_worker_once_about_newer_labels(
    project, anna, ben, rita, url, sent, django_capture_on_commit_callbacks
):
    judge(project, anna, ben)
    compute(project)
    judge(project, anna, captions=1)
    live = reverse("review:report_live", args=[project.slug, "agreement"])
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            assert "A worker will" in client_of(rita).get(live).text
    assert sent == ["agreement"]


def test_numbers_of_an_older_method_are_marked(project, anna, ben, rita, url):
    judge(project, anna, ben)
    compute(project)
    assert "Computed in an older way" not in client_of(rita).get(url).text
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(agreement_reports, "METHOD", "metrics.agreement 2, units 1")
        assert "Computed in an older way" in client_of(rita).get(url).text


def test_deleted_labels_make_the_numbers_old(project, anna, ben, rita, url):
    judge(project, anna, ben)
    compute(project)
    Verification.objects.first().delete()
    assert "Labels were deleted" in client_of(rita).get(url).text
    compute(project)
    assert "Labels were deleted" not in client_of(rita).get(url).text


def test_before_the_first_report_it_says_what_waits(project, anna, rita, ada, url, recompute_url):
    judge(project, anna, captions=2)
    text = client_of(rita).get(url).text
    assert "Not computed yet: 2 verifications." in text
    assert recompute_url not in text
    assert recompute_url in client_of(ada).get(url).text


def test_a_project_without_labels_says_what_to_do(project, rita, url):
    text = client_of(rita).get(url).text
    assert "No labels yet" in text
    for protocol, name in (("lovr", "ratings"), ("tfcovr", "label_pairs")):
        Project.objects.filter(pk=project.pk).update(protocol=protocol)
        link = address(name, project)
        assert f'<a class="button primary" href="{link}">' in client_of(rita).get(url).text


def test_a_waiting_page_says_that_no_worker_responds(project, ada, anna, ben, url, sent):
    judge(project, anna, ben)
    client_of(ada).post(reverse("review:recompute_report", args=[project.slug, "agreement"]))
    record_beat(worker="w1@here", queues=["cpu"])
    assert "A worker is computing the numbers" in client_of(ada).get(url).text
    WorkerBeat.objects.update(at=datetime(2026, 3, 1, 9, 30, 5, tzinfo=UTC))
    page = client_of(ada).get(url).text
    assert "A worker is computing" not in page
    assert "<strong>No worker has responded since 1 Mar 2026 09:30:05 UTC.</strong>" in page


def test_the_last_error_is_shown_until_there_are_newer_numbers(project, anna, ben, rita, url):
    judge(project, anna, ben)
    failed_job(project, "agreement", "The disk is full.")
    assert "The disk is full." in client_of(rita).get(url).text
    compute(project)
    assert "The disk is full." not in client_of(rita).get(url).text


def test_many_people_do_not_fill_the_page(project, rita, url):
    people = [make_person(f"Rater {number:02}", project, "reviewer") for number in range(26)]
    rate_all(project, people, [[number % 6 for number in range(26)]] * 2)
    compute(project)
    text = client_of(rita).get(url).text
    assert "2 people with fewer labels are left out." in text
    assert "Showing the first 100 of 325 pairs." in text
    assert len(text) < 300_000


def test_the_number_of_queries_does_not_grow_with_people_and_labels(project, anna, rita, url):
    client = client_of(rita)
    people = [make_person(f"Rater {number}", project, "reviewer") for number in range(3)]
    judge(project, people[0], captions=1)
    compute(project)
    client.get(url)
    with count_queries() as before:
        client.get(url)
    judge(project, *people, captions=3)
    compute(project)
    with count_queries() as after:
        client.get(url)
    assert int(before) == int(after)
    assert before <= 20


TARGETS = TASKS["triplets"].questions["targets"]


@pytest.mark.parametrize(
    ("n_units", "n_items", "expected"),
    [
        (3, 1, "several people judged 3 targets of 1 query, and a verdict needs at least 30 "
         "targets of 10 queries. Missing: 27 more targets and 9 more queries."),
        (40, 9, "Missing: 1 more query."),
        (30, 10, ""),
    ],
)  # fmt: skip
def test_a_verdict_needs_enough_targets_of_enough_queries(n_units, n_items, expected):
    too_few = small_sample(TARGETS, n_units, n_items)
    assert too_few.endswith(expected)
    assert verdict_on(1.0, 1.0, too_few) == (
        too_few or "Alpha is 1.00, and its whole interval is at least 0.8: the labels are reliable."
    )


def test_a_query_counts_once_however_many_targets_it_has():
    labels = [
        (rater, (query, clip), "valid")
        for query, clips in ((1, 3), (2, 2))
        for clip in range(clips)
        for rater in ("user:1", "user:2")
    ]
    labels.append(("user:1", (3, 0), "valid"))  # that nobody else judged
    question = Question("targets", ["valid", "wrong"], labels, has_parts=True)
    assert question_result(question).n_items == 2
