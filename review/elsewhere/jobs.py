"""Import results that were made elsewhere as a job."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.urls import reverse

from annotate import file_store
from annotate.datasets.faults import LeftOut
from annotate.jobs.file_imports import FileImport, read_typed, start_file_import
from annotate.jobs.kinds import Lease, Outcome
from annotate.models import Project, User
from annotate.models.jobs import Job, JobItem
from annotate.stored_json import as_json
from review.elsewhere.runs import digest_of, refuse_again
from review.elsewhere.services import import_results, imported_sentence, preview_results
from review.elsewhere.statement import Statement, model_of, recipe_of

IMPORT_RESULTS = "results"
FILE = "results"
RUN = "run"


@dataclass(frozen=True)
class TypedResults:
    """A Statement, with `made_on` as in the form, and what the form asks besides."""

    kind: str
    model: str
    frames: str
    prompt: str
    theme: str
    variant: str
    made_on: str
    skips_bad: bool = False

    @property
    def statement(self) -> Statement:
        return Statement(
            model=self.model,
            frames=self.frames,
            prompt=self.prompt,
            theme=self.theme,
            variant=self.variant,
            made_on=date.fromisoformat(self.made_on) if self.made_on else None,
        )


class ImportResults(FileImport[LeftOut]):
    name = IMPORT_RESULTS
    label = "Import results"
    busy = "Results are being imported. Wait until that is done, or cancel it under Jobs."
    again = "under Import results"
    link = "See the run"

    def check(self, job: Job, lease: Lease) -> LeftOut:
        lease.step("Checking the file")
        left_out = preview_results(**_arguments(job)).left_out
        lease.step("Storing the results")
        return left_out

    def save(self, job: Job, checked: LeftOut) -> Outcome:
        runs = import_results(**_arguments(job), admin=job.created_by)
        faults = checked.values.get("details", {})
        return Outcome(
            f"{imported_sentence(runs)} {checked.sentence}".strip(),
            values={"details": {**faults, RUN: runs[-1].pk}},
        )

    def url(self, job: Job) -> str:
        slug = job.project.slug
        run = JobItem.objects.filter(job=job).values_list(f"details__{RUN}", flat=True).first()
        if run is None:
            return reverse("review:import_results", args=[slug])
        return reverse("inference:run", args=[slug, run])


def start_results_import(
    *,
    project: Project,
    kind: str,
    file_name: str,
    data: bytes,
    stated: Statement,
    skips_bad: bool,
    admin: User,
) -> Job:
    """Start a job that imports the file. Raises ReviewError for an invalid statement and a file
    that was imported before, and JobInProgress during another import.
    """
    model = model_of(project, kind, stated.model)
    if kind != "embed":
        recipe_of(project, kind, model, stated)
    refuse_again(project, kind, model, digest_of(io.BytesIO(data)))
    typed = TypedResults(
        **{**vars(stated), "made_on": stated.made_on.isoformat() if stated.made_on else ""},
        kind=kind,
        skips_bad=skips_bad,
    )
    job = Job(
        project=project,
        kind=IMPORT_RESULTS,
        lane="all",
        title=file_name[:200],
        parameters={"typed": as_json(typed)},
        created_by=admin,
    )
    return start_file_import(job, {FILE: data})


def _arguments(job: Job) -> dict[str, Any]:
    typed = read_typed(job, TypedResults)
    return {
        "project": job.project,
        "kind": typed.kind,
        "file": io.BytesIO(file_store.read_job_file(job.pk, FILE)),
        "file_name": job.title,
        "skips_bad": typed.skips_bad,
        "stated": typed.statement,
    }
