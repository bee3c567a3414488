"""Every page of reports: it asks a worker for numbers, waits for them, and says what failed."""

import pytest
from django.urls import reverse

from review.reports.models import Report
from review.reports.page import PAGES
from tests.cast import client_of
from tests.review.reports.computing import compute_as_asked, failed_job, messages

pytestmark = pytest.mark.django_db
# A stored report has an address of its own: tests/review/summary/views/test_report.py.
WITHOUT_SUBJECT = [page for page in PAGES.values() if page.key != "reports"]
# Without anything to compute from, these say only what to do first.
EMPTY = {"agreement", "caption-sets", "programs"}


def test_a_worker_is_asked_and_the_page_waits_for_all_its_numbers(
    project, ada, subtests, monkeypatch, django_capture_on_commit_callbacks
):
    sent = messages(monkeypatch)
    client = client_of(ada)
    for page in WITHOUT_SUBJECT:
        with subtests.test(page.key):
            stored = Report.objects.count()
            recompute = reverse("review:recompute_report", args=[project.slug, page.key])
            sent.clear()
            with django_capture_on_commit_callbacks(execute=True):
                assert client.post(recompute).status_code == 302
            assert sent == list(page.names)
            assert Report.objects.count() == stored, "no web request computes"
            text = client.get(page.url(project)).text
            assert "A worker is computing" in text
            live = reverse("review:report_live", args=[project.slug, page.key])
            for name in page.names:
                waiting = client.get(live)
                assert "HX-Refresh" not in waiting.headers
                assert 'hx-trigger="every 2s"' in waiting.text
                compute_as_asked(project, name)
            assert client.get(live).headers["HX-Refresh"] == "true"
            assert "A worker is computing" not in client.get(page.url(project)).text


def test_the_last_error_is_shown(project, ada, subtests):
    for page in WITHOUT_SUBJECT:
        if page.key in EMPTY:
            continue
        with subtests.test(page.key):
            failed_job(project, page.names[0], f"No memory is left for {page.key}.")
            text = client_of(ada).get(page.url(project)).text
            assert f"No memory is left for {page.key}." in text
