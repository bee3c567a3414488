"""Recomputing the estimates from the page, without a worker."""

import pytest
from django.urls import reverse

from review.reports.models import Report
from tests.cast import client_of
from tests.review.threshold.studying import judge_sample, scored_captions, start_study

pytestmark = pytest.mark.django_db


def test_it_follows_the_labels_and_stands_while_these_do(project, anna, ada):
    scored_captions(project, [n / 40 for n in range(40)])
    judge_sample(start_study(project, captions=40), anna, below=0.5)
    client = client_of(ada)
    url = reverse("review:recompute_report", args=[project.slug, "threshold"])
    Report.objects.filter(project=project).delete()
    assert "The numbers now include the latest labels." in client.post(url, follow=True).text
    assert (
        "No labels have changed: the numbers stay the same." in client.post(url, follow=True).text
    )
    assert Report.objects.filter(name="threshold").count() == 1
