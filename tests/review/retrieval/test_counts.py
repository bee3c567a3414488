"""The counts of vectors that the Recall page of a large project keeps."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache

from inference.runs import new_run_page
from review.reports.services import recompute
from review.retrieval import counts
from tests.cast import client_of, count_queries
from tests.review.reports.addresses import address
from tests.review.retrieval.vectors import described, report_of, three_clips

pytestmark = pytest.mark.django_db
OLD = "Captions, vectors or categories have changed"
ASKS = 'hx-trigger="load"'


@pytest.fixture
def large(project, monkeypatch):
    cache.clear()
    monkeypatch.setattr(new_run_page, "MAX_COUNTED_AT_ONCE", 0)
    three_clips(project)
    return project


def test_a_large_project_counts_its_vectors_again_once_something_has_changed(large, rita):
    report_of(large)
    recompute(project=large, name="rebias")
    url, client = address("recall", large), client_of(rita)
    current = client.get(url).text
    assert "Vectors counted at" in current
    assert (OLD in current, ASKS in current) == (False, False)
    described(large, (0, -1), (0, -1), (0, -1), (0, -1))
    kept = client.get(url).text
    assert (OLD in kept, ASKS in kept) == (False, True)
    counted = client.get(url, {"count": 1}).text
    assert (OLD in counted, ASKS in counted) == (True, False)
    again = client.get(url).text
    assert (OLD in again, ASKS in again) == (True, False)


def test_files_and_other_pages_never_have_earlier_counts(large, rita):
    report = report_of(large)
    kept = counts.counts_for_page(large)
    assert counts.current_counts(large) == kept
    described(large, (0, -1), (0, -1), (0, -1), (0, -1))
    assert counts.counts_for_page(large).settings == kept.settings
    assert client_of(rita).get(f"{address('recall', large)}{report.pk}/").status_code == 200
    assert counts.current_counts(large).settings[0].count("clips") == 4


def test_kept_counts_are_checked_after_a_while(large, monkeypatch):
    assert not counts.counts_for_page(large).is_kept
    monkeypatch.setattr(counts, "CHECKED", timedelta(0))
    assert counts.counts_for_page(large).is_kept


def test_other_captions_have_counts_of_their_own(large):
    counts.count_again(large)
    large.recall_by_human = not large.recall_by_human
    large.save()
    with count_queries() as few:
        counts.counts_for_page(large)
    assert int(few) > 10


def test_kept_counts_take_few_queries(large):
    counts.count_again(large)
    with count_queries() as few:
        assert not counts.counts_for_page(large).is_kept
    assert int(few) == 5


def test_a_small_project_keeps_nothing(project, rita):
    three_clips(project)
    assert "Vectors counted at" not in client_of(rita).get(address("recall", project)).text
