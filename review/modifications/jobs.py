"""Write modifications, as a job."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse

from annotate.jobs.kinds import AnyWork, JobKind
from review.modifications.models import ModificationRequest, ModificationRun
from review.modifications.runs import WRITE_MODIFICATIONS, plan_requests


class WriteModifications(JobKind[ModificationRun, ModificationRequest]):
    name = WRITE_MODIFICATIONS
    label = "Write modifications"
    noun = ("direction", "directions")
    skipped = "left to people"
    busy = "A model is already writing. Wait until it is done, or cancel it."
    job_model = ModificationRun
    item_model = ModificationRequest
    owner = "run"

    def load(self, job_id: int) -> ModificationRun:
        runs = ModificationRun.objects.select_related("project", "model", "prompt", "created_by")
        return runs.get(pk=job_id)

    def plan(self, job: ModificationRun) -> Sequence[ModificationRequest]:
        return plan_requests(job)

    def open(self, job: ModificationRun) -> AnyWork:
        # Import here: it loads the model, which no web process may do.
        from review.modifications.writing import Writing

        return Writing(job)

    def url(self, job: ModificationRun) -> str:
        return reverse("review:modifications", args=[job.project.slug])

    def names(self, items: Sequence[ModificationRequest]) -> dict[int, str]:
        requests = ModificationRequest.objects.filter(pk__in=[item.pk for item in items])
        return {
            request.pk: f"{request.source.caption} → {request.target.caption}"
            for request in requests.select_related("source", "target")
        }
