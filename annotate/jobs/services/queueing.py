"""Notify workers about a job. The rows are authoritative; a message is only a nudge."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from annotate.jobs.kinds import item_tables, upload_tables
from annotate.messages import wake_worker
from annotate.models.jobs import ACTIVE, AbstractJobItem, Job

State = AbstractJobItem.State


@dataclass(frozen=True)
class Requeued:
    """The number of jobs queued again."""

    jobs: int


def nudge(job: Job, *, seconds: float = 0) -> None:
    """Send one message once the rows are committed, with a delay of `seconds`.

    While items wait there is one message about the job in the broker: the worker that takes it
    sends the next. If the broker is unavailable, the job is only delayed until the next requeue.
    """
    Job.objects.filter(pk=job.pk).update(queued_at=timezone.now() + timedelta(seconds=seconds))
    wake_worker("annotate.work_on_job", job.pk, queue=job.queue, seconds=seconds)


def abandoned_jobs() -> QuerySet[Job]:
    """Return active jobs that are due and that no living worker plans or works on, except those
    that only wait for bytes.
    """
    now = timezone.now()
    jobs = Job.objects.filter(state__in=ACTIVE, queued_at__lte=now).exclude(lease_until__gt=now)
    for table, owner in item_tables().items():
        living = table._default_manager.filter(state=State.RUNNING, lease_until__gt=now)
        jobs = jobs.filter(~Exists(living.filter(**{owner: OuterRef("pk")})))
    for table, owner in upload_tables().items():
        own = table._default_manager.filter(**{owner: OuterRef("pk")})
        jobs = jobs.exclude(
            Exists(own.filter(state=State.UPLOADING)),
            ~Exists(own.filter(state__in=[State.WAITING, State.RUNNING])),
        )
    return jobs


def requeue_jobs(*, job: Job | None = None, force: bool = False) -> Requeued:
    """Queue again every job without a worker; `force` first ends the leases.

    Safe at any time: a worker that has lost its items notices and stores nothing.
    """
    jobs = Job.objects.filter(state__in=ACTIVE)
    if job:
        jobs = jobs.filter(pk=job.pk)
    if force:
        _take_leases_away(jobs)
    abandoned = list(abandoned_jobs().filter(pk__in=jobs.values("pk")))
    for each in abandoned:
        with transaction.atomic():
            nudge(each)
    return Requeued(len(abandoned))


def requeue_jobs_of_dead_workers() -> None:
    """Queue again, once, each job with a lease that has ended since the last message about it.

    Each worker does this every few seconds. What is lost with that message is left to
    `requeue_jobs`.
    """
    now = timezone.now()
    jobs = Job.objects.filter(state__in=ACTIVE, queued_at__lte=now)
    is_left = Q(is_planned=False, lease_until__lte=now, lease_until__gte=F("queued_at"))
    for table, owner in item_tables().items():
        held = table._default_manager.filter(state=State.RUNNING, lease_until__lte=now)
        is_left |= Q(
            Exists(held.filter(**{owner: OuterRef("pk")}, lease_until__gte=OuterRef("queued_at")))
        )
    for job in jobs.filter(is_left).order_by("pk"):
        with transaction.atomic():
            nudge(job)


def _take_leases_away(jobs: QuerySet[Job]) -> None:
    now = timezone.now()
    for table, owner in item_tables().items():
        held = table._default_manager.filter(state=State.RUNNING)
        held.filter(**{f"{owner}__in": jobs.values("pk")}).update(lease_until=now)
    jobs.filter(lease_until__gt=now).update(lease_until=now)
    jobs.filter(queued_at__gt=now).update(queued_at=now)
