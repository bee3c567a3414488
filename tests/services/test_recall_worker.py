"""Recall and ReBias by a real worker, as the page asks for them."""

from __future__ import annotations

from review.reports.models import Report
from review.reports.services import ask_to_recompute
from tests.review.reports.computing import last_request, report_jobs
from tests.review.retrieval.vectors import three_clips


def test_a_worker_computes_both_as_a_person_asked(worker, project, rita):
    three_clips(project)
    for name in ("recall", "rebias"):
        ask_to_recompute(project=project, name=name, person=rita)
        [job] = report_jobs(project, name)
        worker.send("annotate.work_on_job", job.pk, queue="cpu")
    for name in ("recall", "rebias"):
        worker.wait_for(
            lambda name=name: not last_request(project, name).is_waiting, "answer of the worker"
        )
        assert last_request(project, name).error == ""
    recall = Report.objects.get(name="recall").result["kinds"]
    assert recall["temporal"]["t2v"]["hits"]["1"] == 1
    assert round(Report.objects.get(name="rebias").result["table5"], 2) == 28.57
