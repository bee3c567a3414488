"""Import the captions of a model, which was run elsewhere, as a job."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from annotate import file_store
from annotate.datasets.faults import Fault, LeftOut
from annotate.jobs.file_imports import FileImport, read_typed, row_counter, start_file_import
from annotate.jobs.kinds import Lease, Outcome
from annotate.models import Project, User
from annotate.models.jobs import Job
from annotate.stored_json import as_json
from review.captions.exchange import check_predictions, import_predictions, refuse_again
from review.captions.services import checked_name
from review.errors import ReviewError
from review.frozen.models import Release

IMPORT_PREDICTIONS = "model-captions"
FILE = "captions"


@dataclass(frozen=True)
class TypedPredictions:
    """`release` is a key; the rest are arguments of `import_predictions`."""

    name: str
    kind: str
    release: int | None = None
    prompt: str = ""
    frames: str = ""
    theme: str = ""
    skips_bad: bool = False


class ImportPredictions(FileImport[None]):
    name = IMPORT_PREDICTIONS
    label = "Import model captions"
    busy = "Captions are being imported. Wait until that is done, or cancel it under Jobs."
    again = "under Model captions"
    link = "See the model captions"

    def check(self, job: Job, lease: Lease) -> None:
        lease.step("Checking the file")
        typed = read_typed(job, TypedPredictions)
        check_predictions(
            project=job.project,
            file=_file(job),
            file_name=job.title,
            kind=typed.kind,
            release=_release(job, typed),
            skips_bad=typed.skips_bad,
            count=row_counter(lease, "captions"),
        )
        lease.step("Storing the captions")

    def save(self, job: Job, checked: None) -> Outcome:
        typed = read_typed(job, TypedPredictions)
        left_out: list[Fault] = []
        caption_set = import_predictions(
            project=job.project,
            file=_file(job),
            file_name=job.title,
            admin=job.created_by,
            name=typed.name,
            kind=typed.kind,
            release=_release(job, typed),
            prompt=typed.prompt,
            frames=typed.frames,
            theme=typed.theme,
            left_out=left_out if typed.skips_bad else None,
        )
        count, skipped = caption_set.clip_count, LeftOut(left_out)
        note = f"{count:,} caption{'' if count == 1 else 's'} of {caption_set.name}."
        return Outcome(f"{note} {skipped.sentence}".strip(), values=skipped.values)

    def url(self, job: Job) -> str:
        return reverse("review:report_page", args=[job.project.slug, "caption-sets"])


def start_predictions_import(
    *, project: Project, file_name: str, data: bytes, admin: User, about: dict[str, Any]
) -> Job:
    """Start a job that imports the file; `about` has the other arguments of `import_predictions`,
    and whether it `skips_bad` rows.

    Raises ReviewError for a name that is taken and a file that was imported before, and
    JobInProgress during another import.
    """
    refuse_again(project, about["name"], about["kind"], io.BytesIO(data))
    checked_name(project, about["name"])
    release = about["release"]
    typed = TypedPredictions(**about | {"release": release.pk if release else None})
    job = Job(
        project=project,
        kind=IMPORT_PREDICTIONS,
        lane="all",
        title=file_name[:200],
        parameters={"typed": as_json(typed)},
        created_by=admin,
    )
    return start_file_import(job, {FILE: data})


def _release(job: Job, typed: TypedPredictions) -> Release | None:
    if typed.release is None:
        return None
    release = Release.objects.filter(project=job.project, pk=typed.release).first()
    if release is None:
        raise ReviewError("The release is gone. Choose the file again without it.")
    return release


def _file(job: Job) -> io.BytesIO:
    return io.BytesIO(file_store.read_job_file(job.pk, FILE))
