"""Have a worker write a file of vectors."""

from __future__ import annotations

from hashlib import sha256

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from annotate.audit import record_event
from annotate.jobs.services.starting import start_job
from annotate.models import Project, User
from annotate.models.jobs import Job
from annotate.stored_json import as_json
from inference.registry import info
from review.vectors.contents import QUERIES, find_source
from review.vectors.queries import WRITE_VECTORS, VectorParameters, vector_file_name


@transaction.atomic
def start_vector_file(
    *, project: Project, source: str, fusion: str, format_name: str, admin: User | None
) -> Job:
    """Start the job. `source`: the key of a Source. Raises ReviewError, and Refused while the same
    file is being written.
    """
    chosen = find_source(project, source)
    fusion = fusion if chosen.of == QUERIES else ""
    parameters = as_json(VectorParameters(chosen.key, fusion, format_name))
    job = start_job(
        Job(
            project=project,
            kind=WRITE_VECTORS,
            lane=sha256("|".join(parameters.values()).encode()).hexdigest(),
            title=", ".join(filter(None, (chosen.name, fusion, f".{format_name}")))[:200],
            parameters=parameters,
            queue=info(chosen.model).queue,
            created_by=admin,
        )
    )
    record_event(
        actor=admin, verb="write vectors", subject=chosen.model, project=project, after=parameters
    )
    return job


def store_vector_file(job: Job, content: bytes) -> None:
    name = vector_file_name(job)
    default_storage.delete(name)
    default_storage.save(name, ContentFile(content))
