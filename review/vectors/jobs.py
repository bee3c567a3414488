"""Write a file of vectors, as a job, because it loads the model."""

from __future__ import annotations

from django.template.defaultfilters import filesizeformat
from django.urls import reverse

from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.parameters import read_parameters
from annotate.jobs.single_step import SingleStepKind
from annotate.models.jobs import Job
from review.vectors.contents import find_source, vectors_of
from review.vectors.queries import WRITE_VECTORS, VectorParameters
from review.vectors.services import store_vector_file


class WriteVectors(SingleStepKind[bytes]):
    name = WRITE_VECTORS
    label = "Write vectors"
    busy = "This file is being written. Wait until it is done."

    def work(self, job: Job, lease: Lease) -> bytes:
        chosen = read_parameters(job, VectorParameters)
        source = find_source(job.project, chosen.source)
        return vectors_of(job.project, source, chosen.fusion).written(chosen.format)

    def store(self, job: Job, result: bytes) -> Outcome:
        store_vector_file(job, result)
        return Outcome(filesizeformat(len(result)))

    def url(self, job: Job) -> str:
        return reverse("review:vectors", args=[job.project.slug])
