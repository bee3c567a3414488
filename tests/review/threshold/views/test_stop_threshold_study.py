"""Stopping a study from the page of the thresholds."""

import pytest
from django.urls import reverse

from annotate.models import WorkItem
from tests.cast import client_of
from tests.review.threshold.studying import scored_captions, start_study

pytestmark = pytest.mark.django_db


def test_nobody_is_asked_any_more(project, ada):
    scored_captions(project, [n / 30 for n in range(30)])
    study = start_study(project)
    page = reverse("review:report_page", args=[project.slug, "threshold"])
    url = reverse("review:stop_threshold_study", args=[project.slug, study.pk])
    assert f"Stop study {study.pk}" in client_of(ada).get(page).text
    response = client_of(ada).post(url, follow=True)
    assert "Study stopped." in response.text
    assert f"Stop study {study.pk}" not in response.text
    assert set(WorkItem.objects.values_list("state", flat=True)) == {"cancelled"}
    assert "already stopped" in client_of(ada).post(url, follow=True).text
