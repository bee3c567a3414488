"""mAP@K by a real worker, which alone loads the model."""

from __future__ import annotations

from review.reports.models import Report
from review.reports.services import ask_to_recompute
from tests.review.composed.retrieval import ask
from tests.review.reports.computing import last_request, report_jobs


def test_a_worker_computes_what_a_person_asked_for(worker, project, rita):
    ask(project)
    ask_to_recompute(project=project, name="map", person=rita)
    assert last_request(project, "map").is_waiting
    [job] = report_jobs(project, "map")
    worker.send("annotate.work_on_job", job.pk, queue="cpu")
    worker.wait_for(lambda: not last_request(project, "map").is_waiting, "answer of the worker")
    assert last_request(project, "map").error == ""
    assert set(Report.objects.get().result["baselines"]) == {"query", "text", "average"}
