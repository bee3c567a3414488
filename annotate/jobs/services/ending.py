"""End a job as done, failed or canceled, and keep the counts of its items."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.jobs.kinds import job_kind
from annotate.jobs.queries import item_counts
from annotate.models import Notice, Webhook
from annotate.models.jobs import ACTIVE, OPEN_STATES, AbstractJobItem, Job
from annotate.notices.services import notify
from annotate.webhooks.services.announcing import announce

ItemState = AbstractJobItem.State


@transaction.atomic
def end_job(job_id: int, state: Job.State, reason: str = "", *, token: int | None = None) -> bool:
    """End an active job; return False if it has already ended. With `token`, end it only while that
    planning attempt has it.
    """
    active = Job.objects.select_for_update(no_key=True).filter(pk=job_id, state__in=ACTIVE)
    if token is not None:
        active = active.filter(token=token, is_planned=False)
    job = active.first()
    if job is None:
        return False
    job.state, job.reason, job.lease_until = state, reason[:500], None
    job.counts, job.finished_at = item_counts([job])[job.pk], timezone.now()
    job.save(update_fields=["state", "reason", "lease_until", "counts", "finished_at"])
    kind = job_kind(job.kind)
    ended = kind.load(job_id)
    kind.ended(ended)
    announce_end(ended)
    _tell_starter(ended)
    return True


def announce_end(job: Job) -> None:
    """Tell the project's webhooks that the job has ended, in the transaction that ends it."""
    announce(
        project=job.project,
        event=Webhook.Event.JOB_FINISHED,
        ids={
            "job": job.pk,
            "kind": job.kind,
            "state": job.state,
            "items": sum(job.counts.values()),
            "failed": job.counts.get(ItemState.FAILED, 0),
        },
        page=("annotate:job", [job.project.slug, job.pk]),
        resource=("api:job", [job.project.slug, job.pk]),
    )


def _tell_starter(job: Job) -> None:
    """Tell the person who started the job that it is done or failed, or how many of its items
    failed. Only its page says why, since a reason can quote text that they must not read."""
    kind = job_kind(job.kind)
    if job.created_by is None or job.state == Job.State.CANCELLED or not kind.tells_starter:
        return
    notify(
        people=[job.created_by],
        project=job.project,
        kind=Notice.Kind.JOB_ENDED,
        subject=job,
        text=f"{_cut(kind.name_of(job))} {_end_in_words(job)}",
        address=kind.url(job) or reverse("annotate:job", args=[job.project.slug, job.pk]),
    )


def _end_in_words(job: Job) -> str:
    """Return the end of a sentence that begins with the job's name."""
    failed, total = job.counts.get(ItemState.FAILED, 0), sum(job.counts.values())
    if job.state == Job.State.FAILED or (total == 1 and failed):
        return "failed."
    if not failed:
        return "is done."
    if failed == total:
        return f"failed: all {total:,} items did."
    return f"is done, but {failed:,} of {total:,} items failed."


def _cut(name: str) -> str:
    return name if len(name) <= 150 else f"{name[:149]}…"


@transaction.atomic
def end_if_done(job_id: int) -> bool:
    """End a job if nothing is left to do."""
    # Lock it, so that no retry queues an item between the check and the end.
    active = Job.objects.select_for_update(no_key=True).filter(pk=job_id, state__in=ACTIVE)
    job = active.filter(is_planned=True).first()
    if job is None:
        return False
    kind = job_kind(job.kind)
    items = kind.items(job_id)
    if items.filter(state__in=OPEN_STATES).exists():
        return False
    if kind.fails_with_its_item and (item := items.filter(state=ItemState.FAILED).first()):
        return end_job(job_id, Job.State.FAILED, item.reason)
    # Items that a canceled job left out stay so after a retry of failed items only.
    left_out = items.filter(state=ItemState.CANCELLED).exists()
    return end_job(job_id, Job.State.CANCELLED if left_out else Job.State.DONE)


def recount_items(job_ids: Iterable[int]) -> None:
    """Recount the items of these jobs after some were deleted with their objects. Call it inside a
    transaction.
    """
    for job in Job.objects.select_for_update(no_key=True).filter(pk__in=list(job_ids)):
        counts = item_counts([job])[job.pk]
        job.total = sum(counts.values())
        job.counts = {} if job.is_active else counts
        job.save(update_fields=["total", "counts"])
