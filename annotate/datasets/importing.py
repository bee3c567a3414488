"""Start jobs that import the labeled clips of uploaded files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from annotate import file_store
from annotate.datasets.faults import DatasetInvalid, Fault
from annotate.datasets.files import DatasetFile
from annotate.datasets.formats import read_clips
from annotate.datasets.label_files import read_labels
from annotate.datasets.services import refuse_other_protocol
from annotate.jobs.file_imports import start_file_import
from annotate.jobs.parameters import read_parameters
from annotate.models import Project, User
from annotate.models.jobs import Job
from annotate.stored_json import as_json

IMPORT_DATASET = "dataset"


@dataclass(frozen=True)
class DatasetParameters:
    """`files` has the name of each file, by its field."""

    format: str
    files: Mapping[str, str]
    skips_bad: bool = False


@transaction.atomic
def start_dataset_import(
    *,
    project: Project,
    format: str,
    files: Mapping[str, DatasetFile],
    admin: User | None,
    skips_bad: bool = False,
) -> Job:
    """Start a job that imports the files `annotations`, `times` and `labels`, each optional.
    `skips_bad`: leave out rows with an error.

    Raises DatasetInvalid with the faults of the files, AnnotateError if the project's protocol has
    no labeled clips, and JobInProgress during another import.
    """
    refuse_other_protocol(project)
    read_dataset(format, files, skips_bad=skips_bad)
    return start_file_import(
        Job(
            project=project,
            kind=IMPORT_DATASET,
            lane="all",
            title=", ".join(file.name for file in files.values())[:200],
            parameters=as_json(
                DatasetParameters(
                    format, {field: file.name for field, file in files.items()}, skips_bad
                )
            ),
            created_by=admin,
        ),
        {field: file.data for field, file in files.items()},
    )


def read_job_dataset(job: Job) -> dict[str, Any]:
    """Return the arguments of `import_dataset` for this job. Raises DatasetInvalid."""
    parameters = read_parameters(job, DatasetParameters)
    files = {
        field: DatasetFile(name, file_store.read_job_file(job.pk, field))
        for field, name in parameters.files.items()
    }
    return read_dataset(parameters.format, files, skips_bad=parameters.skips_bad)


def read_dataset(
    format: str, files: Mapping[str, DatasetFile], *, skips_bad: bool = False
) -> dict[str, Any]:
    """Return the arguments of `import_dataset` for the files. Raises DatasetInvalid for a row with
    an error, and if the import `skips_bad` rows, only if none is left.
    """
    left_out: list[Fault] | None = [] if skips_bad else None
    file, labels_file = files.get("annotations"), files.get("labels")
    clips = read_clips(format, file, files.get("times"), left_out) if file else []
    labels = read_labels(labels_file, left_out) if labels_file else []
    if left_out and not (clips or labels):
        raise DatasetInvalid(left_out)
    return {
        "clips": clips,
        "clips_file": file.name if file else "",
        "labels": labels,
        "labels_file": labels_file.name if labels_file else "",
        "left_out": left_out,
    }
