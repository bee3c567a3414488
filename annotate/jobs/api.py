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
from annotate.api.rows import RowSerializer
from annotate.jobs.file_imports import FileImport
from annotate.jobs.kinds import job_kind
from annotate.jobs.queries import item_counts
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.queueing import requeue_jobs
from annotate.models import Role
from annotate.models.jobs import Job, JobItem
from annotate.text.storable import storable

TAG = "Jobs"


class JobSerializer(RowSerializer[Job]):
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


class FaultSerializer(serializers.Serializer[Any]):
    file = serializers.CharField(default="", help_text="Empty if there is one.")
    row = serializers.CharField(help_text="A line, an entry or a name in the file.")
    field = serializers.CharField()
    mend = serializers.CharField(help_text="What to fix.")


class JobWithFaultsSerializer(JobSerializer):
    faults = FaultSerializer(many=True, help_text="Of an import: what is wrong with its files.")

    class Meta(JobSerializer.Meta):
        fields: tuple[str, ...] = (*JobSerializer.Meta.fields, "faults")


class RetrySerializer(serializers.Serializer[Any]):
    code = serializers.CharField(
        default="", allow_blank=True, max_length=40, help_text="Only failures of this code."
    )


class JobFilters(NewestFirst):
    kind = serializers.CharField(required=False, max_length=20)
    state = serializers.ChoiceField(choices=Job.State.choices, required=False)


class Jobs(ApiView):
    @operation(gives=JobSerializer, query=JobFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Job]:
        """List jobs. Model runs, imports, reports and releases, the newest first. For admins."""
        project = access.member(asker, slug, Role.ADMIN).project
        chosen = {name: self.query[name] for name in ("kind", "state") if name in self.query}
        return Job.objects.filter(project=project, **chosen)


class JobView(ApiView):
    @operation(gives=JobWithFaultsSerializer)
    def get(self, asker: UserRequest, slug: str, job_id: int) -> Job:
        """Show a job. With its items counted now, and what is wrong with the file of an import.
        For admins."""
        job = _counted(access.job(asker, slug, job_id)[1])
        job.faults = _faults(job)  # type: ignore[attr-defined]  # for the serializer
        return job


class CancelJob(ApiView):
    @operation(gives=JobSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, job_id: int) -> Job:
        """Cancel a job. What is done stays."""
        _, job = access.job(asker, slug, job_id)
        cancel_job(job=job, admin=asker.user)
        job.refresh_from_db()
        return _counted(job)


class RetryJob(ApiView):
    @operation(gives=JobSerializer, takes=RetrySerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, job_id: int) -> Job:
        """Resume a job. Its failed items are tried again, or those that failed for one reason."""
        _, job = access.job(asker, slug, job_id)
        retry_job(job=job, admin=asker.user, code=storable(self.values["code"]))
        job.refresh_from_db()
        return _counted(job)


class RequeueJob(ApiView):
    @operation(gives=JobSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, job_id: int) -> Job:
        """Queue a job again. If it waits and no worker has it; otherwise nothing changes."""
        _, job = access.job(asker, slug, job_id)
        requeue_jobs(job=job)
        job.refresh_from_db()
        return _counted(job)


def _counted(job: Job) -> Job:
    counts: dict[str, Any] = item_counts([job])[job.pk]
    job.counts = {state: number for state, number in counts.items() if number}
    return job


def _faults(job: Job) -> list[dict[str, Any]]:
    if not isinstance(job_kind(job.kind), FileImport):
        return []
    item = JobItem.objects.filter(job=job).order_by("-pk").first()
    faults: list[dict[str, Any]] = item.details.get("faults", []) if item else []
    return faults


JOB = "projects/<slug:slug>/jobs/<int:job_id>/"
urlpatterns = [
    path("projects/<slug:slug>/jobs/", Jobs.as_view(), name="jobs"),
    path(JOB, JobView.as_view(), name="job"),
    path(f"{JOB}cancel/", CancelJob.as_view(), name="cancel_job"),
    path(f"{JOB}retry/", RetryJob.as_view(), name="retry_job"),
    path(f"{JOB}requeue/", RequeueJob.as_view(), name="requeue_job"),
]
