"""Cancel a job, resume it, retry what failed."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import Refused
from annotate.jobs.kinds import job_kind
from annotate.jobs.queries import item_counts
from annotate.jobs.services.queueing import nudge
from annotate.jobs.services.starting import JobInProgress, active_twin
from annotate.models import User
from annotate.models.jobs import ACTIVE, OPEN_STATES, AbstractJobItem, Job

ItemState = AbstractJobItem.State
State = Job.State


@transaction.atomic
def cancel_job(*, job: Job, admin: User | None) -> int:
    """Leave out what is not done; a worker stores nothing of it any more. Returns how many items.
    Raises Refused where the job has ended."""
    locked = _locked(job)
    if locked.state not in (*ACTIVE, State.FAILED):
        raise Refused("This has ended already. There is nothing to cancel.")
    kind = job_kind(locked.kind)
    now = timezone.now()
    left_out = kind.items(locked.pk).filter(state__in=OPEN_STATES).update(
        state=ItemState.CANCELLED, step="", lease_until=None, finished_at=now
    )  # fmt: skip
    locked.state, locked.finished_at, locked.lease_until = State.CANCELLED, now, None
    locked.counts = item_counts([locked])[locked.pk]
    locked.save(update_fields=["state", "finished_at", "lease_until", "counts"])
    kind.ended(kind.load(locked.pk))
    _record(locked, "cancel job", admin, {"items": left_out})
    return left_out


@transaction.atomic
def retry_job(*, job: Job, admin: User | None, code: str = "") -> int:
    """Queue what failed (with `code`, for that reason alone) or was cancelled once more, and what
    still waits. Returns how many items were reset. Raises Refused where there is nothing to do, and
    where the lane is taken."""
    locked = _locked(job)
    kind = job_kind(locked.kind)
    if not locked.is_active:
        if twin := active_twin(locked):
            raise JobInProgress(twin)
        kind.may_resume(kind.load(locked.pk))
    reset = _reset(locked, code)
    waits = kind.items(locked.pk).filter(state=ItemState.WAITING).exists()
    if not waits and locked.is_planned:
        raise Refused("Nothing of this failed or is left. There is nothing to retry.")
    if not locked.is_active:
        locked.state, locked.finished_at, locked.reason, locked.deaths = State.WAITING, None, "", 0
        locked.resumed_at = timezone.now()
        locked.save(update_fields=["state", "finished_at", "reason", "deaths", "resumed_at"])
    nudge(locked)
    _record(locked, "retry job", admin, {"items": reset, "code": code})
    return reset


def _reset(job: Job, code: str) -> int:
    """Items that failed wait again; of a cancelled job all, where no single reason is asked for."""
    items = job_kind(job.kind).items(job.pk)
    again = items.filter(state=ItemState.FAILED)
    if code:
        again = again.filter(code=code)
    elif job.state == State.CANCELLED:
        again = items.filter(state__in=[ItemState.FAILED, ItemState.CANCELLED])
    return again.update(
        state=ItemState.WAITING, deaths=0, code="", reason="", step="", finished_at=None
    )


def _locked(job: Job) -> Job:
    jobs = Job.objects.select_for_update(of=("self",), no_key=True)
    return jobs.select_related("project").get(pk=job.pk)


def _record(job: Job, verb: str, admin: User | None, after: dict[str, object]) -> None:
    record_event(actor=admin, verb=verb, subject=job, project=job.project, after=after)
