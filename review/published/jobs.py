"""Import human captions as a job."""

from __future__ import annotations

from django.urls import reverse

from annotate.jobs.file_imports import FileImport
from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.parameters import read_parameters
from annotate.models.jobs import Job
from review.errors import ReviewError
from review.published.models import HumanImport
from review.published.services import IMPORT_HUMAN, HumanImportParameters, import_checked


class ImportHumanCaptions(FileImport[None]):
    name = IMPORT_HUMAN
    label = "Import human captions"
    busy = "Human captions are being imported. Wait until that is done, or cancel it under Jobs."
    again = "under Human captions"
    link = "See the human captions"

    def check(self, job: Job, lease: Lease) -> None:
        lease.step("Comparing the file with the project")

    def save(self, job: Job, checked: None) -> Outcome:
        key = read_parameters(job, HumanImportParameters).human_import
        try:
            human_import = HumanImport.objects.defer("content").get(pk=key)
        except HumanImport.DoesNotExist:
            raise ReviewError(f"The file is gone. Choose it again {self.again}.") from None
        stored = import_checked(human_import=human_import, admin=job.created_by)
        captions = stored.captions.count()
        return Outcome(f"{captions:,} human caption{'' if captions == 1 else 's'}.")

    def may_resume(self, job: Job) -> None:
        """Allow it: the checked file is kept until it is imported."""

    def url(self, job: Job) -> str:
        return reverse("review:human_captions", args=[job.project.slug])
