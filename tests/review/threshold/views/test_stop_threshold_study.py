"""Stopping a study from the page of the thresholds."""

import pytest
from django.urls import reverse

from annotate.models import WorkItem
from tests.cast import client_of
from tests.review.threshold.studying import scored_captions, start_study
from tests.swapped_parts import send_in_place

pytestmark = pytest.mark.django_db


def test_nobody_is_asked_any_more(project, ada):
    scored_captions(project, [n / 30 for n in range(30)])
    study = start_study(project)
    page = reverse("review:report_page", args=[project.slug, "threshold"]) + "?rule=youden"
    url = reverse("review:stop_threshold_study", args=[project.slug, study.pk]) + "?rule=youden"
    assert f"Stop study {study.pk}" in client_of(ada).get(page).text
    response = send_in_place(client_of(ada), page, url)
    assert response.redirect_chain == [(page, 302)]
    assert "Study stopped." in response.text
    assert f"Stop study {study.pk}" not in response.text
    assert set(WorkItem.objects.values_list("state", flat=True)) == {"cancelled"}
    assert "already stopped" in client_of(ada).post(url, follow=True).text
