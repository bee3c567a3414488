"""Items of a run as workers would have left them, for tests that only read them."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from annotate.jobs.services.planning import plan_job
from inference.models import InferenceRun, RunItem

State = RunItem.State
EMPTY = ("empty_reply", "The model replied without a word. Retry it, or change the prompt.")
SLOW = ("timeout", "The server did not answer within 120 s. Give it more time under Models.")
BROKEN = ("damaged", "The pictures can't be decoded. Restore it from a backup.")


def leave(
    run: InferenceRun,
    *,
    done: int = 0,
    failed: tuple[tuple[str, str], ...] = (),
    at: datetime | None = None,
    state: str | None = None,
) -> InferenceRun:
    """The first `done` items done, the next failed with these codes and reasons, at `at`."""
    at = at or timezone.now()
    _plan(run)
    waiting = list(run.items.filter(state=State.WAITING))
    for item in waiting[:done]:
        item.state, item.seconds, item.note, item.finished_at = State.DONE, 0.5, "61 words", at
    for item, (code, reason) in zip(waiting[done:], failed, strict=False):
        item.state, item.code, item.reason, item.finished_at = State.FAILED, code, reason, at
    RunItem.objects.bulk_update(
        waiting, ["state", "seconds", "note", "finished_at", "code", "reason"]
    )
    if done:
        run.has_results = True
        run.save()
    if state:
        run.state = state
        run.finished_at = at if state in {"done", "cancelled"} else None
        run.save()
    return run


def hold(run: InferenceRun, number: int = 1, seconds: float = 60) -> None:
    """Let a living worker hold `number` of the waiting items."""
    _plan(run)
    for item in run.items.filter(state=State.WAITING)[:number]:
        item.state = State.RUNNING
        item.lease_until = timezone.now() + timedelta(seconds=seconds)
        item.save()


def _plan(run: InferenceRun) -> None:
    """Plan the run, as a worker does first."""
    if not run.is_planned and plan_job(run):
        run.refresh_from_db()
