"""Generate a triplet set, as a job. A later attempt continues after the last modification."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import reverse

from annotate.errors import ItemLost, Refused
from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.parameters import read_parameters
from annotate.jobs.single_step import SingleStepKind
from annotate.models.jobs import Job
from inference.words import counted
from review.triplets.models import TripletSet
from review.triplets.sets import GENERATE_TRIPLETS, SetParameters, generate

State = TripletSet.State


class GenerateTriplets(SingleStepKind[TripletSet]):
    name = GENERATE_TRIPLETS
    label = "Generate triplets"

    def work(self, job: Job, lease: Lease) -> TripletSet:
        triplets = generate(triplets=_set_of(job))
        if triplets.state != State.FINISHED:
            raise ItemLost
        return triplets

    def store(self, job: Job, result: TripletSet) -> Outcome:
        return Outcome(counted(result.triplet_count, ("triplet", "triplets")))

    def ended(self, job: Job) -> None:
        """Stop the set of a canceled or failed job, so that another can be generated."""
        if job.state != Job.State.DONE:
            _sets(job).filter(state=State.RUNNING).update(
                state=State.STOPPED,
                reason=job.reason or "Canceled. You can resume it on the page Jobs.",
            )

    def may_resume(self, job: Job) -> None:
        if TripletSet.objects.filter(project=job.project_id, state=State.RUNNING).exists():
            raise Refused("Triplets are being generated now. Wait until they are finished.")
        _sets(job).filter(state=State.STOPPED).update(state=State.RUNNING, reason="")

    def url(self, job: Job) -> str:
        return reverse("review:triplet_set", args=[job.project.slug, _set_of(job).number])


def _set_of(job: Job) -> TripletSet:
    return _sets(job).select_related("project").get()


def _sets(job: Job) -> QuerySet[TripletSet]:
    return TripletSet.objects.filter(pk=read_parameters(job, SetParameters).set)
