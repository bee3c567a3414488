"""Start jobs that import the labeled clips of uploaded files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotate import file_store
from annotate.datasets.files import DatasetFile
from annotate.datasets.formats import read_clips
from annotate.datasets.label_files import read_labels
from annotate.datasets.services import refuse_other_protocol
from annotate.jobs.file_imports import start_file_import
from annotate.models import Project, User
from annotate.models.jobs import Job

IMPORT_DATASET = "dataset"


@transaction.atomic
def start_dataset_import(
    *, project: Project, format: str, files: Mapping[str, DatasetFile], admin: User | None
) -> Job:
    """Start a job that imports the files `annotations`, `times` and `labels`, each optional.

    Raises DatasetInvalid with the faults of the files, AnnotateError if the project's protocol has
    no labeled clips, and JobInProgress during another import.
    """
    refuse_other_protocol(project)
    read_dataset(format, files)
    return start_file_import(
        Job(
            project=project,
            kind=IMPORT_DATASET,
            lane="all",
            title=", ".join(file.name for file in files.values())[:200],
            parameters={
                "format": format,
                "files": {field: file.name for field, file in files.items()},
            },
            created_by=admin,
        ),
        {field: file.data for field, file in files.items()},
    )


def read_job_dataset(job: Job) -> dict[str, Any]:
    """Return the arguments of `import_dataset` for this job. Raises DatasetInvalid."""
    files = {
        field: DatasetFile(name, file_store.read_job_file(job.pk, field))
        for field, name in job.parameters["files"].items()
    }
    return read_dataset(job.parameters["format"], files)


def read_dataset(format: str, files: Mapping[str, DatasetFile]) -> dict[str, Any]:
    """Return the arguments of `import_dataset` for the files. Raises DatasetInvalid."""
    clips, labels = files.get("annotations"), files.get("labels")
    return {
        "clips": read_clips(format, clips, files.get("times")) if clips else [],
        "clips_file": clips.name if clips else "",
        "labels": read_labels(labels) if labels else [],
        "labels_file": labels.name if labels else "",
    }
