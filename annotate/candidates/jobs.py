"""Import candidates, and cut the selected ones into clips, as jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

from django.db import transaction
from django.urls import reverse

from annotate.candidates.segments import Annotations
from annotate.candidates.services import import_candidates
from annotate.candidates.starting import (
    CUT_CANDIDATES,
    IMPORT_CANDIDATES,
    candidates_to_cut,
    read_job_annotations,
    start_cutting,
)
from annotate.jobs.file_imports import FileImport
from annotate.jobs.kinds import AnyWork, JobKind, Lease, Outcome
from annotate.models.jobs import Job, JobItem


class ImportCandidates(FileImport[Annotations]):
    name = IMPORT_CANDIDATES
    label = "Import candidates"
    busy = "Candidates are being imported. Wait until that is done, or cancel it under Jobs."
    again = "on the page Import candidates"
    link = "See the candidates"

    def check(self, job: Job, lease: Lease) -> Annotations:
        lease.step("Reading the file")
        annotations = read_job_annotations(job)
        lease.step("Comparing it with the project")
        return annotations

    def save(self, job: Job, checked: Annotations) -> Outcome:
        imported = import_candidates(
            project=job.project, admin=job.created_by, annotations=checked, file_name=job.title
        )
        return Outcome(str(imported), values={"details": asdict(imported)})

    def url(self, job: Job) -> str:
        name = "annotate:candidates" if job.state == Job.State.DONE else "annotate:add_candidates"
        return reverse(name, args=[job.project.slug])


class CutCandidates(JobKind[Job, JobItem]):
    name = CUT_CANDIDATES
    label = "Cut selected candidates"
    noun = ("candidate", "candidates")
    skipped = "no longer selected"

    def plan(self, job: Job) -> Sequence[JobItem]:
        candidates = candidates_to_cut(job.project_id).select_related("video")
        return [
            JobItem(job=job, position=place, subject=candidate.pk, name=candidate.name[:200])
            for place, candidate in enumerate(candidates, 1)
        ]

    def open(self, job: Job) -> AnyWork:
        # Imported here: it loads the video libraries, which a web process must not load.
        from annotate.candidates.cutting import CutWork

        return CutWork(job)

    def ended(self, job: Job) -> None:
        """Start another job for candidates that were selected in the meantime."""
        if job.state != Job.State.DONE:
            return
        planned = job.job_items.values("subject")
        if candidates_to_cut(job.project_id).exclude(pk__in=planned).exists():
            transaction.on_commit(partial(start_cutting, job.project, job.created_by))

    def url(self, job: Job) -> str:
        return reverse("annotate:candidates", args=[job.project.slug])
