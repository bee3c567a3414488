"""Cancel a run, take it up again, retry what failed."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotate.models import User
from annotate.services.audit import record_event
from inference.errors import InferenceError
from inference.models import InferenceRun, RunItem
from inference.services.queueing import queue_run
from inference.services.starting import refuse_twice

State = RunItem.State
RunState = InferenceRun.State


@transaction.atomic
def cancel_run(*, run: InferenceRun, admin: User | None) -> int:
    """Leave out what is not done; a worker stores nothing of it any more. Returns how many."""
    run = _locked(run)
    if run.state not in {RunState.RUNNING, RunState.STOPPED}:
        raise InferenceError("This run has ended already. There is nothing to cancel.")
    left_out = run.items.filter(state__in=[State.WAITING, State.RUNNING]).update(
        state=State.CANCELLED, step="", lease_until=None, finished_at=timezone.now()
    )
    run.state, run.finished_at = RunState.CANCELLED, timezone.now()
    run.save(update_fields=["state", "finished_at"])
    record_event(
        actor=admin, verb="cancel run", subject=run, project=run.project, after={"items": left_out}
    )
    return left_out


@transaction.atomic
def retry_run(*, run: InferenceRun, admin: User | None, code: str = "") -> int:
    """Queue what failed (with `code`, for that reason alone) or was cancelled once more. Raises
    InferenceError where nothing did, and where the very same run is going on."""
    run = _locked(run)
    if run.state != RunState.RUNNING:
        refuse_twice(run.project, run.recipe_hash)
    again = run.items.filter(state=State.FAILED)
    if code:
        again = again.filter(code=code)
    elif run.state == RunState.CANCELLED:
        again = run.items.filter(state__in=[State.FAILED, State.CANCELLED])
    count = again.update(
        state=State.WAITING, deaths=0, code="", reason="", step="", finished_at=None
    )
    if not count and run.state != RunState.STOPPED:
        raise InferenceError("Nothing of this run failed. There is nothing to retry.")
    run.state, run.finished_at, run.reason = RunState.RUNNING, None, ""
    run.save(update_fields=["state", "finished_at", "reason"])
    queue_run(run)
    record_event(
        actor=admin,
        verb="retry run",
        subject=run,
        project=run.project,
        after={"items": count, "code": code},
    )
    return count


def _locked(run: InferenceRun) -> InferenceRun:
    return (
        InferenceRun.objects.select_for_update(of=("self",))
        .select_related("project")
        .get(pk=run.pk)
    )
