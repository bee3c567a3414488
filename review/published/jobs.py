"""Importing human captions, as a job."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.urls import reverse

from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.single_step import SingleStepKind
from annotate.models.jobs import AbstractJobItem, Job
from review.errors import ReviewError
from review.published.models import HumanImport
from review.published.plan import PublishedInvalid
from review.published.services import IMPORT_HUMAN, import_checked


class ImportHumanCaptions(SingleStepKind[None]):
    name = IMPORT_HUMAN
    label = "Import human captions"
    busy = "Human captions are being imported. Wait until that is done, or cancel it under Jobs."

    def work(self, job: Job, lease: Lease) -> None:
        lease.step("Comparing the file with the project")

    def store(self, job: Job, result: None) -> Outcome:
        try:
            human_import = HumanImport.objects.get(pk=job.parameters["import"])
        except HumanImport.DoesNotExist:
            raise ReviewError("The file is gone. Choose it again under Human captions.") from None
        try:
            stored = import_checked(human_import=human_import, admin=job.created_by)
        except PublishedInvalid as error:
            details: dict[str, Any] = {
                "faults": [asdict(fault) for fault in error.faults],
                "total": error.total,
            }
            return Outcome(
                state=AbstractJobItem.State.FAILED,
                reason=str(error),
                values={"details": details},
            )
        captions = stored.captions.count()
        return Outcome(f"{captions:,} human caption{'' if captions == 1 else 's'}")

    def url(self, job: Job) -> str:
        return reverse("review:human_captions", args=[job.project.slug])
