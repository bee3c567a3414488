"""mAP@K by a real worker, which alone loads the model."""

from __future__ import annotations

from annotate.services.audit import record_event
from review.reports.models import Report
from review.reports.queries import ASKED, last_request
from tests.review.composed.retrieval import ask


def test_a_worker_computes_what_a_person_asked_for(filesystem_worker, project):
    ask(project)
    record_event(actor=None, verb=ASKED, subject=project, project=project, after={"report": "map"})
    assert last_request(project, "map").is_waiting
    filesystem_worker.send("review.recompute", project.pk, "map", True, queue="cpu")
    filesystem_worker.wait_for(
        lambda: not last_request(project, "map").is_waiting, "answer of the worker"
    )
    assert last_request(project, "map").error == ""
    assert set(Report.objects.get().result["baselines"]) == {"query", "text", "average"}
