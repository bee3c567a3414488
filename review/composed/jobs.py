"""Rank test queries with a model here, as a job."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse

from annotate.errors import Refused
from annotate.jobs.kinds import AnyWork, JobKind
from annotate.jobs.parameters import read_parameters
from annotate.models.jobs import Job, JobItem
from review.composed.methods import RankingParameters
from review.composed.models import ImportedRanking
from review.composed.runs import RANK_QUERIES, plan_queries, store_ranking
from review.triplets.models import TripletSet


class RankQueries(JobKind[Job, JobItem]):
    name = RANK_QUERIES
    label = "Rank queries"
    noun = ("query", "queries")
    busy = "A model is ranking these queries. Wait until it is done, or cancel it."

    def plan(self, job: Job) -> Sequence[JobItem]:
        return plan_queries(job)

    def open(self, job: Job) -> AnyWork:
        # Import here: it loads models, which no web process may do.
        from review.composed.ranking import Ranking

        return Ranking(job)

    def ended(self, job: Job) -> None:
        if job.state == Job.State.DONE:
            store_ranking(job)

    def may_resume(self, job: Job) -> None:
        if ImportedRanking.objects.filter(job=job).exists():
            raise Refused("Its ranking is stored. Start another one.")

    def url(self, job: Job) -> str:
        key = read_parameters(job, RankingParameters).triplets
        number = TripletSet.objects.values_list("number", flat=True).get(pk=key)
        return reverse("review:composed_results", args=[job.project.slug, number])
