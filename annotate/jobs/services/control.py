"""Cancel a job, resume it, retry what failed."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import Refused
from annotate.jobs.kinds import job_kind
from annotate.jobs.queries import item_counts
from annotate.jobs.services.ending import announce_end
from annotate.jobs.services.queueing import nudge
from annotate.jobs.services.starting import JobInProgress, active_twin
from annotate.models import User
from annotate.models.jobs import ACTIVE, OPEN_STATES, AbstractJobItem, Job

ItemState = AbstractJobItem.State
State = Job.State


@transaction.atomic
def cancel_job(*, job: Job, admin: User | None) -> int:
    """Cancel the unfinished items, whose results workers no longer store. Returns their number.
    Raises Refused if the job has ended.
    """
    locked = _locked(job)
    if locked.state not in (*ACTIVE, State.FAILED):
        raise Refused("This has already ended. Nothing to cancel.")
    kind = job_kind(locked.kind)
    now = timezone.now()
    left_out = kind.items(locked.pk).filter(state__in=OPEN_STATES).update(
        state=ItemState.CANCELLED, step="", lease_until=None, finished_at=now
    )  # fmt: skip
    locked.state, locked.finished_at, locked.lease_until = State.CANCELLED, now, None
    locked.counts = item_counts([locked])[locked.pk]
    locked.save(update_fields=["state", "finished_at", "lease_until", "counts"])
    kind.ended(kind.load(locked.pk))
    announce_end(locked)
    _record(locked, "cancel job", admin, {"items": left_out})
    return left_out


@transaction.atomic
def retry_job(
    *, job: Job, admin: User | None, code: str = "", item: AbstractJobItem | None = None
) -> int:
    """Queue failed items (with `code`, only those with this reason; with `item`, only this one),
    canceled items and waiting items again. Returns how many were reset. Raises Refused if there is
    nothing to do, or if the lane is taken.
    """
    locked = _locked(job)
    kind = job_kind(locked.kind)
    if not locked.is_active:
        if twin := active_twin(locked):
            raise JobInProgress(twin)
        kind.may_resume(kind.load(locked.pk))
    reset = _reset(locked, code, item)
    waits = kind.items(locked.pk).filter(state=ItemState.WAITING).exists()
    if not waits and locked.is_planned:
        raise Refused("No item failed or is left. Nothing to retry.")
    begin_anew(locked)
    nudge(locked)
    _record(locked, "retry job", admin, {"items": reset, "code": code})
    return reset


def begin_anew(job: Job) -> None:
    """Make an ended job active because it has work again. Call it with the row locked."""
    if not job.is_active:
        job.state, job.finished_at, job.reason, job.deaths = State.WAITING, None, "", 0
        job.resumed_at = timezone.now()
        job.save(update_fields=["state", "finished_at", "reason", "deaths", "resumed_at"])


def _reset(job: Job, code: str, item: AbstractJobItem | None) -> int:
    """Reset failed items for which a retry may help; without a reason or item, also those that a
    canceled job left out.
    """
    kind = job_kind(job.kind)
    failed = kind.items(job.pk).filter(state=ItemState.FAILED)
    if item:
        failed = failed.filter(pk=item.pk)
    codes = set(failed.order_by().values_list("code", flat=True).distinct())
    is_asked = Q(
        state=ItemState.FAILED,
        code__in=[each for each in codes if kind.may_retry(each) and code in ("", each)],
    )
    if item:
        is_asked &= Q(pk=item.pk)
    elif not code and job.state == State.CANCELLED and kind.resumes_cancelled:
        is_asked |= Q(state=ItemState.CANCELLED)
    again = kind.items(job.pk).filter(is_asked)
    return again.update(
        state=ItemState.WAITING, deaths=0, code="", reason="", step="", finished_at=None
    )


def _locked(job: Job) -> Job:
    jobs = Job.objects.select_for_update(of=("self",), no_key=True)
    return jobs.select_related("project").get(pk=job.pk)


def _record(job: Job, verb: str, admin: User | None, after: dict[str, object]) -> None:
    record_event(actor=admin, verb=verb, subject=job, project=job.project, after=after)
