"""The API of background work."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.jobs.queries import item_counts
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.models import Role
from annotate.models.jobs import Job


class JobSerializer(serializers.ModelSerializer[Job]):
    counts = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Items by state. A list has those of the last change of the job’s state.",
    )

    class Meta:
        model = Job
        fields: tuple[str, ...] = (
            *("id", "kind", "title", "state", "reason", "total", "counts"),
            *("created_at", "resumed_at", "finished_at"),
        )
        read_only_fields = fields


class JobFilters(NewestFirst):
    kind = serializers.CharField(required=False, max_length=20)
    state = serializers.ChoiceField(choices=Job.State.choices, required=False)


class Jobs(ApiView):
    tag = "Jobs"

    @operation(gives=JobSerializer, query=JobFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Job]:
        """List jobs. Model runs, imports, reports and releases, the newest first. For admins."""
        project = access.member(asker, slug, Role.ADMIN).project
        chosen = {name: self.query[name] for name in ("kind", "state") if name in self.query}
        return Job.objects.filter(project=project, **chosen)


class JobView(ApiView):
    tag = "Jobs"

    @operation(gives=JobSerializer)
    def get(self, asker: UserRequest, slug: str, job_id: int) -> Job:
        """Show a job. With its items counted now. For admins."""
        return _counted(access.job(asker, slug, job_id)[1])


class CancelJob(ApiView):
    tag = "Jobs"

    @operation(gives=JobSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, job_id: int) -> Job:
        """Cancel a job. What is done stays."""
        _, job = access.job(asker, slug, job_id)
        cancel_job(job=job, admin=asker.user)
        job.refresh_from_db()
        return _counted(job)


class RetryJob(ApiView):
    tag = "Jobs"

    @operation(gives=JobSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, job_id: int) -> Job:
        """Resume a job. Its failed items are tried again."""
        _, job = access.job(asker, slug, job_id)
        retry_job(job=job, admin=asker.user, code="")
        job.refresh_from_db()
        return _counted(job)


def _counted(job: Job) -> Job:
    counts: dict[str, Any] = item_counts([job])[job.pk]
    job.counts = {state: number for state, number in counts.items() if number}
    return job


urlpatterns = [
    path("projects/<slug:slug>/jobs/", Jobs.as_view(), name="jobs"),
    path("projects/<slug:slug>/jobs/<int:job_id>/", JobView.as_view(), name="job"),
    path("projects/<slug:slug>/jobs/<int:job_id>/cancel/", CancelJob.as_view(), name="cancel_job"),
    path("projects/<slug:slug>/jobs/<int:job_id>/retry/", RetryJob.as_view(), name="retry_job"),
]
