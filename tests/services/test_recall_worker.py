"""Recall and ReBias by a real worker, as the page asks for them."""

from __future__ import annotations

from annotate.services.audit import record_event
from review.reports.models import Report
from review.reports.queries import ASKED, last_request
from tests.review.retrieval.vectors import three_clips


def test_a_worker_computes_both_as_a_person_asked(filesystem_worker, project):
    three_clips(project)
    for name in ("recall", "rebias"):
        record_event(
            actor=None, verb=ASKED, subject=project, project=project, after={"report": name}
        )
        filesystem_worker.send("review.recompute", project.pk, name, True, queue="cpu")
    for name in ("recall", "rebias"):
        filesystem_worker.wait_for(
            lambda name=name: not last_request(project, name).is_waiting, "answer of the worker"
        )
        assert last_request(project, name).error == ""
    recall = Report.objects.get(name="recall").result["kinds"]
    assert recall["temporal"]["t2v"]["hits"]["1"] == 1
    assert round(Report.objects.get(name="rebias").result["table5"], 2) == 28.57
