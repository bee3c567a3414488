"""Recall and ReBias as files."""

import csv
import io
import json

import pytest
from django.urls import reverse

from review.reports.few import FEW
from review.reports.models import Report
from review.reports.services import recompute
from tests.cast import client_of
from tests.review.retrieval.vectors import (
    make_computed_world,
)
from tests.review.summary.metric_rows import stored

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept):
    return make_computed_world()


def compute(project):
    [report] = recompute(project=project, name="recall")
    recompute(project=project, name="rebias")
    return report


def test_the_numbers_leave_as_csv_and_json(project, rita):
    report = compute(project)
    client = client_of(rita)
    response = client.get(
        reverse("review:report_file", args=[project.slug, "recall", "recall.csv"])
    )
    assert response["Content-Disposition"] == 'attachment; filename="dives-recall.csv"'
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [(row["captions"], row["direction"]) for row in rows] == [
        (kind, way) for kind in ("general", "spatial", "temporal") for way in ("t2v", "v2t")
    ]
    assert float(rows[4]["recall_at_1"]) == pytest.approx(1 / 3)
    assert float(rows[4]["rebias_table5"]) == pytest.approx(200 / 7)
    # From three videos there is no interval.
    assert rows[4]["rebias_table5_low"] == rows[4]["rebias_table5_high"] == ""
    assert rows[4]["rebias_signature"] == Report.objects.get(name="rebias").signature
    assert rows[0]["rebias_table5"] == rows[0]["rebias_signature"] == ""
    assert (rows[0]["captions_by_source"], rows[0]["old"]) == ("3 machine", "no")
    assert rows[0]["simulated"] == "no"
    assert {row["signature"] for row in rows} == {report.signature}
    [entry] = json.loads(
        client.get(reverse("review:report_file", args=[project.slug, "recall", "recall.json"])).text
    )
    assert entry["recall"]["inputs_hash"] == report.inputs_hash
    assert list(entry["recall"]["result"]["kinds"]) == ["general", "spatial", "temporal"]
    assert entry["rebias"]["result"]["table5"] == pytest.approx(200 / 7)
    interval = entry["rebias"]["result"]["intervals"]["table5"]
    assert (interval["low"], interval["high"]) == (None, None)
    assert interval["reason"] == "From 3 videos; an interval needs at least 10."


def test_rebias_of_enough_videos_leaves_with_its_interval(project, rita):
    compute(project)
    made = Report.objects.get(name="rebias")
    stored(
        project, "rebias", made.subject, {**made.result, "n_videos": FEW},
        parameters=made.parameters, inputs_hash=made.inputs_hash,
    )  # fmt: skip
    client = client_of(rita)
    file = io.StringIO(
        client.get(reverse("review:report_file", args=[project.slug, "recall", "recall.csv"])).text
    )
    row = list(csv.DictReader(file))[4]
    assert float(row["rebias_table5_low"]) < 200 / 7 < float(row["rebias_table5_high"])
    [entry] = client.get(
        reverse("review:report_file", args=[project.slug, "recall", "recall.json"])
    ).json()
    assert entry["rebias"]["result"]["intervals"] == made.result["intervals"]
