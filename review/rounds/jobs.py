"""Opening a round, as a job: it reads every caption of the models."""

from __future__ import annotations

from django.urls import reverse

from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.single_step import SingleStepKind
from annotate.models.jobs import Job
from inference.words import counted
from review.rounds.services import OPEN_ROUND, open_started_round


class OpenRound(SingleStepKind[None]):
    name = OPEN_ROUND
    label = "Open round"
    busy = "A round is being opened. Wait until it is open, or cancel that under Jobs."

    def work(self, job: Job, lease: Lease) -> None:
        lease.step("Reading the captions of the models")

    def store(self, job: Job, result: None) -> Outcome:
        # All in the transaction that ends the step: a worker that has lost it opens no round.
        opened = open_started_round(job)
        return Outcome(counted(opened.clips.count(), ("clip", "clips")))

    def url(self, job: Job) -> str:
        return reverse("review:comparisons", args=[job.project.slug])
