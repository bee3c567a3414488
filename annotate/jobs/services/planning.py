"""Create a job's items. A worker does it, since it can take minutes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from django.db import OperationalError, transaction
from django.db.models import Q
from django.utils import timezone

from annotate.errors import ItemFailed, JobStopped, Refused
from annotate.jobs.kinds import AnyKind, job_kind
from annotate.jobs.services.ending import end_job
from annotate.jobs.services.leases import MAX_DEATHS, Heartbeat, lease_end
from annotate.models.jobs import ACTIVE, AbstractJobItem, Job

log = logging.getLogger(__name__)

ROW_BATCH_SIZE = 500
GAVE_UP = "Each attempt to plan this ended the worker. Give the worker more memory, then retry it."
FAILED = (
    "An unexpected error occurred, probably not because of your input. Retry it; if it happens "
    "again, tell the person who runs the server (the worker's log has the details)."
)


def plan_job(job: Job) -> bool:
    """Create the job's items if that wasn't done; return whether there is something to work on.

    One worker plans at a time. The plan of a worker that was presumed dead isn't stored.
    """
    token = _take_plan(job.pk)
    if token is not None:
        _plan(job, token)
    return Job.objects.filter(pk=job.pk, is_planned=True, state__in=ACTIVE).exists()


def _plan(job: Job, token: int) -> None:
    kind = job_kind(job.kind)
    try:
        with Heartbeat() as heartbeat:
            heartbeat.hold_plan(job.pk, token)
            items = kind.plan(kind.load(job.pk))
        _store_plan(kind, job.pk, token, items)
    except OperationalError:
        Job.objects.filter(pk=job.pk, token=token, is_planned=False).update(lease_until=None)
        raise
    except (Refused, ItemFailed, JobStopped) as error:
        end_job(job.pk, Job.State.FAILED, str(error), token=token)
    except Exception:
        log.exception("%s could not be planned.", job)
        end_job(job.pk, Job.State.FAILED, FAILED, token=token)


@transaction.atomic
def _take_plan(job_id: int) -> int | None:
    """Return the token of this planning attempt; None if the job needs no plan, or another worker
    makes it.
    """
    is_free = Q(lease_until=None) | Q(lease_until__lte=timezone.now())
    unplanned = Job.objects.filter(is_free, pk=job_id, is_planned=False, state__in=ACTIVE)
    job = unplanned.select_for_update(skip_locked=True, no_key=True).first()
    if job is None:
        return None
    job.deaths += job.lease_until is not None
    if job.deaths >= MAX_DEATHS:
        end_job(job_id, Job.State.FAILED, GAVE_UP)
        return None
    job.token, job.state, job.lease_until = job.token + 1, Job.State.RUNNING, lease_end()
    job.save(update_fields=["token", "state", "lease_until", "deaths"])
    return job.token


@transaction.atomic
def _store_plan(kind: AnyKind, job_id: int, token: int, items: Sequence[AbstractJobItem]) -> None:
    """Store the plan, unless another worker now plans or the job was canceled."""
    own = Job.objects.select_for_update(no_key=True).filter(
        pk=job_id, token=token, is_planned=False, state__in=ACTIVE
    )
    if own.first() is None:
        return
    rows: Any = kind.item_model._default_manager
    rows.bulk_create(items, batch_size=ROW_BATCH_SIZE)
    Job.objects.filter(pk=job_id).update(
        is_planned=True, lease_until=None, deaths=0, total=len(items)
    )
    kind.planned(kind.load(job_id))
