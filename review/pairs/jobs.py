"""Comparing all labels, as a job."""

from __future__ import annotations

from django.urls import reverse

from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.parameters import read_parameters
from annotate.jobs.single_step import SingleStepKind
from annotate.models.jobs import Job
from inference.models import ModelSpec
from inference.words import counted
from review.pairs.comparison import COMPARE_LABELS, CompareParameters


class CompareLabels(SingleStepKind[int]):
    name = COMPARE_LABELS
    label = "Compare labels"
    busy = "A worker is comparing the labels. Wait until it is done."

    def work(self, job: Job, lease: Lease) -> int:
        # Import here: it loads the model, which no web process may do.
        from review.pairs.similarity import compare_labels

        key = read_parameters(job, CompareParameters).model
        model = ModelSpec.objects.get(pk=key, project=job.project_id)
        return compare_labels(project=job.project, model=model)

    def store(self, job: Job, result: int) -> Outcome:
        return Outcome(counted(result, ("pair", "pairs")))

    def url(self, job: Job) -> str:
        return reverse("review:label_pairs", args=[job.project.slug])
