"""The page Metrics asks a worker to compute, and says what failed and what was not new."""

from dataclasses import replace

import pytest
from django.urls import reverse

from annotate.models import AuditEvent
from review.reports.models import Report
from review.reports.registry import REPORTS
from review.reports.services import recompute
from review.summary.pages import NAMES
from tests.cast import client_of
from tests.review.reports.computing import compute_as_asked
from tests.review.retrieval.vectors import three_clips
from tests.review.summary.metric_rows import capst_of, recall_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(project):
    return reverse("review:report_page", args=[project.slug, "metrics"])


def test_computing_asks_a_worker_for_every_name(project, rita, url):
    client_of(rita).post(reverse("review:recompute_report", args=[project.slug, "metrics"]))
    requests = AuditEvent.objects.filter(verb="ask to recompute").values_list("after", flat=True)
    assert [row["report"] for row in requests.order_by("pk")] == [
        "recall", "rebias", "capst", "overlap", "leaderboard", "map", "unified",
    ]  # fmt: skip
    assert not Report.objects.exists()
    assert "A worker is computing the numbers" in client_of(rita).get(url).text


def test_a_request_that_computes_nothing_says_so(project, rita, url):
    client = client_of(rita)
    for name in NAMES:
        compute_as_asked(project, name)
    assert "Nothing to compute yet. See below what to start" in client.get(url).text
    three_clips(project)
    for name in NAMES:
        compute_as_asked(project, name)
    nothing_new = "Nothing has changed since the numbers were computed"
    assert nothing_new not in client.get(url).text
    for name in NAMES:
        compute_as_asked(project, name)
    assert nothing_new in client.get(url).text
    assert Report.objects.filter(name="recall").count() == 1
    project.embeddings.first().delete()
    assert nothing_new not in client.get(url).text


def test_what_failed_is_named(project, rita, url, monkeypatch):
    def broken(project):
        raise ValueError("The disk is full.")

    monkeypatch.setitem(REPORTS, "rebias", replace(REPORTS["rebias"], inputs=broken))
    compute_as_asked(project, "rebias")
    text = client_of(rita).get(url).text
    assert "<strong>ReBias could not be computed</strong>" in text
    assert "The disk is full." in text


def test_halves_that_find_no_other_half_are_named(project, rita, url):
    recall_of(project, "CLIP")
    capst_of(project, "GPT-4o mini")
    recompute(project=project, name="unified")
    text = client_of(rita).get(url).text
    assert "No captions named CLIP have a CapST result." in text
    assert "No vectors named GPT-4o mini were found." in text
    assert "To join the captions and vectors of one model, give them the same name" in text
