"""Recall over K on the page Recall, and as a file."""

import csv
import io

import pytest
from django.urls import reverse

from review.reports.services import recompute
from tests.cast import client_of
from tests.review.retrieval.vectors import described, three_clips

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(project):
    return reverse("review:report_page", args=[project.slug, "recall"])


def compute(project):
    [report] = recompute(project=project, name="recall")
    return report


def test_the_curves_have_a_line_a_model_and_their_numbers_in_a_file(project, rita, url):
    for number in range(12):
        turn = (number % 4) * 0.01
        described(project, (1, number), (1, number + turn), kinds=("general",))
    report = compute(project)
    response = client_of(rita).get(url)
    [curves] = response.context["parts"][0].curves
    assert [chart.way for chart in curves.charts] == ["t2v", "v2t"]
    [line] = curves.charts[0].lines
    assert (line.title, line.color, line.dash) == ("CARE, 32 frames, evenly spread", 1, 0)
    assert line.path.count("L") == 11  # from K = 1 to the twelfth clip, the last
    assert line.band
    assert "Show 95 % intervals" in response.text
    file = reverse("review:report_file", args=[project.slug, "recall", "recall-curve.csv"])
    rows = list(csv.DictReader(io.StringIO(client_of(rita).get(file).text)))
    stored = report.result["kinds"]["general"]["t2v"]
    of_texts = [row for row in rows if row["direction"] == "t2v"]
    assert [int(row["k"]) for row in of_texts] == list(range(1, 13))
    assert [int(row["hits"]) for row in of_texts] == list(stored["curve"]["hits"])
    assert float(of_texts[0]["recall"]) == stored["recall"]["1"]
    assert float(of_texts[0]["recall_low"]) == stored["curve"]["low"][0]
    assert of_texts[0]["videos"] == "12"


def test_curves_of_few_videos_have_no_intervals(project, rita, url):
    three_clips(project)
    compute(project)
    text = client_of(rita).get(url).text
    assert "Show 95 % intervals" not in text
    assert "From 3 videos; an interval needs at least 10." in text
    file = reverse("review:report_file", args=[project.slug, "recall", "recall-curve.csv"])
    rows = list(csv.DictReader(io.StringIO(client_of(rita).get(file).text)))
    assert {row["recall_low"] for row in rows} == {""}
