"""Recomputing the estimates from the page."""

import pytest
from django.urls import reverse

from review.reports.models import Report
from tests.cast import client_of
from tests.review.reports.computing import work_on_report
from tests.review.threshold.studying import judge_sample, scored_captions, start_study

pytestmark = pytest.mark.django_db


def test_a_worker_follows_the_labels_and_the_numbers_stay_while_these_do(project, anna, ada):
    scored_captions(project, [n / 40 for n in range(40)])
    judge_sample(start_study(project, captions=40), anna, below=0.5)
    client = client_of(ada)
    url = reverse("review:recompute_report", args=[project.slug, "threshold"])
    for has_changed in (True, False):
        assert "A worker is computing the numbers." in client.post(url, follow=True).text
        work_on_report(project, "threshold")
        page = client.get(reverse("review:report_page", args=[project.slug, "threshold"])).text
        assert "A worker is computing" not in page
        assert ("Nothing has changed since the numbers were computed" not in page) is has_changed
    assert Report.objects.filter(name="threshold").count() == 1


def test_it_keeps_the_chosen_rule(project, anna, ada):
    scored_captions(project, [n / 40 for n in range(40)])
    judge_sample(start_study(project, captions=40), anna, below=0.5)
    page = reverse("review:report_page", args=[project.slug, "threshold"])
    url = reverse("review:recompute_report", args=[project.slug, "threshold"])
    client = client_of(ada)
    assert f'action="{url}?rule=youden"' in client.get(f"{page}?rule=youden").text
    assert client.post(f"{url}?rule=youden").url == f"{page}?rule=youden"
