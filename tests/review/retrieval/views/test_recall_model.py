"""Recall and ReBias of one model, as a page."""

import pytest
from django.urls import reverse

from review.reports.models import Report
from review.reports.services import recompute
from tests.cast import client_of, make_clip
from tests.review.retrieval.vectors import described, embed, report_of, three_clips, write

pytestmark = pytest.mark.django_db


def computed(project):
    report = report_of(project)
    recompute(project=project, name="rebias")
    return report


def test_one_model_has_a_page_with_categories_times_and_signatures(project, rita):
    three_clips(project)
    report = computed(project)
    rebias = Report.objects.get(name="rebias")
    text = client_of(rita).get(reverse("review:recall_model", args=[project.slug, report.pk])).text
    assert report.signature in text
    assert rebias.signature in text
    assert "Temporal captions by category" in text
    assert "Personal care" in text
    assert "without I/O" in text
    assert "newer numbers" not in text
    embed(make_clip(project), 1, 5)
    [newer] = recompute(project=project, name="recall")
    text = client_of(rita).get(reverse("review:recall_model", args=[project.slug, report.pk])).text
    assert reverse("review:recall_model", args=[project.slug, newer.pk]) in text


def test_the_page_of_a_model_says_that_its_numbers_are_old(project, rita):
    clips = three_clips(project)
    report = computed(project)
    page = reverse("review:recall_model", args=[project.slug, report.pk])
    client = client_of(rita)
    assert "have changed since" not in client.get(page).text
    write(clips[0], "Another dive.")
    assert "have changed since" in client.get(page).text


def test_an_older_recall_is_not_shown_with_a_newer_rebias(project, rita):
    three_clips(project)
    report = computed(project)
    page = reverse("review:recall_model", args=[project.slug, report.pk])
    client = client_of(rita)
    assert "Videos resampled" in client.get(page).text
    embed(make_clip(project), 1, 5)
    computed(project)
    text = client.get(page).text
    assert "newer numbers" in text
    assert "Videos resampled" not in text


def test_what_is_left_out_is_said(project, rita):
    clips = three_clips(project)
    embed(clips[0], 0, 1, stale="model")
    embed(write(make_clip(project)), 1, 0)
    report = computed(project)
    text = client_of(rita).get(reverse("review:recall_model", args=[project.slug, report.pk])).text
    assert "is left out because its clip has no vector" in text
    assert "vector of this model is out of date and left out" in text


def test_the_reports_of_another_project_are_not_found(project, rita, olaf):
    three_clips(project)
    report = computed(project)
    rebias = Report.objects.get(name="rebias")
    page = reverse("review:recall_model", args=[project.slug, report.pk])
    assert client_of(olaf).get(page).status_code == 404
    wrong = reverse("review:recall_model", args=[project.slug, rebias.pk])
    assert client_of(rita).get(wrong).status_code == 404


def test_it_says_why_rebias_has_no_interval(project, rita):
    described(project, (1, 0), (1, 0), (1, 0), (1, 0))
    report = computed(project)
    text = client_of(rita).get(reverse("review:recall_model", args=[project.slug, report.pk])).text
    assert "be resampled, so there is no interval." in text
