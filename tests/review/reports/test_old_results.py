"""Results that an earlier version stored in another shape."""

import pytest
from django.urls import reverse

from annotate.models.jobs import Job
from review.reports.models import Report
from review.reports.services import recompute
from review.summary.loading import load
from tests.cast import client_of, make_clip
from tests.review.comparisons.comparing import start_round
from tests.review.reports.computing import compute_as_asked
from tests.review.retrieval.vectors import three_clips
from tests.review.summary.metric_rows import recall_of, stored

pytestmark = pytest.mark.django_db
EARLIER = {"shape": "of an earlier version"}
MESSAGE = "These numbers were computed by an earlier version of Vericap. Recompute them."


def page(person, project, key):
    return client_of(person).get(reverse("review:report_page", args=[project.slug, key]))


@pytest.mark.parametrize(("name", "key"), [("leakage", "leakage"), ("agreement", "agreement")])
def test_a_page_asks_for_numbers_again_that_it_cannot_read(project, ada, name, key):
    stored(project, name, "comparisons", EARLIER)
    response = page(ada, project, key)
    assert response.status_code == 200
    assert MESSAGE in response.text
    assert reverse("review:recompute_report", args=[project.slug, key]) in response.text


def test_a_leaderboard_asks_for_them_again(project, rita):
    round = start_round(project, [make_clip(project)], ("Avocet", "Bittern"))
    stored(project, "leaderboard", str(round.pk), EARLIER)
    assert MESSAGE in page(rita, project, "leaderboard").text


@pytest.mark.parametrize("name", ["recall", "capst", "overlap", "unified"])
def test_metrics_leave_such_a_report_out(project, rita, name):
    heron = recall_of(project, "Heron")
    stored(
        project, name, "scores:default" if name == "unified" else "1", EARLIER | {"kinds": 1},
        parameters=heron.parameters,
    )  # fmt: skip
    assert [stored_report.report.name for stored_report in load(project).every] == ["recall"]
    assert page(rita, project, "metrics").status_code == 200


def test_metrics_leave_out_a_report_whose_parameters_they_cannot_read(project):
    heron = recall_of(project, "Heron")
    recall_of(project, "Ibis", parameters=EARLIER)
    assert [stored_report.report for stored_report in load(project).every] == [heron]


def test_a_page_asks_for_numbers_again_whose_parameters_it_cannot_read(project, rita):
    recall_of(project, "Ibis", parameters=EARLIER)
    response = page(rita, project, "recall")
    assert response.status_code == 200
    assert MESSAGE in response.text


def test_a_person_who_asks_for_such_a_report_gets_another_of_the_same_labels(project):
    three_clips(project)
    [report] = recompute(project=project, name="recall")
    same = {"inputs_hash": report.inputs_hash, "parameters": report.parameters}
    earlier = stored(project, "recall", report.subject, EARLIER | {"kinds": 1}, **same)
    assert recompute(project=project, name="recall") == [earlier]
    assert compute_as_asked(project, "recall").state == Job.State.DONE
    again = Report.objects.newest(project, "recall").get()
    assert again.inputs_hash == report.inputs_hash
    assert again.result["sha256"] == report.result["sha256"]
