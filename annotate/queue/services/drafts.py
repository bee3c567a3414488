"""Save drafts, and keep the lease on the work alive."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from annotate.errors import DraftConflict, LeaseLost, WorkWithdrawn
from annotate.models import Assignment, WorkItem

State = Assignment.State

# A heartbeat counts at most the usual time between two heartbeats, with some tolerance.
MAX_BEAT_SECONDS = 120
# The player's highest speed (see annotate/corpus/player.html).
FASTEST_PLAYBACK = 2
# Time this short stays uncounted, for a later heartbeat to count.
UNCOUNTED = timedelta(seconds=2)
# After losing this often to the person's other heartbeats, a heartbeat only renews the lease.
ATTEMPTS = 3


@dataclass(frozen=True)
class SavedDraft:
    version: int
    saved_at: datetime
    holds_lease: bool


@dataclass(frozen=True)
class Heartbeat:
    lease_expires_at: datetime


def save_draft(*, assignment: Assignment, base_version: int, content: dict[str, Any]) -> SavedDraft:
    """Store the draft if it is based on the stored version, or else raise DraftConflict.

    A draft belongs to its author: it is stored even if the lease has ended, and refused only after
    the work is submitted.
    """
    now = timezone.now()
    based_on_it = Assignment.objects.filter(pk=assignment.pk, draft_version=base_version)
    saved = based_on_it.exclude(state=State.SUBMITTED).update(
        draft=content, draft_version=base_version + 1, draft_saved_at=now
    )
    if not saved:
        current = Assignment.objects.get(pk=assignment.pk)
        if current.state == State.SUBMITTED:
            raise LeaseLost("This work is already submitted, so its draft can't be changed.")
        raise DraftConflict(current)
    return SavedDraft(base_version + 1, now, assignment.holds_lease)


def beat(
    *, assignment: Assignment, active_seconds: int = 0, watched: list[list[int]] | None = None
) -> Heartbeat:
    """Renew the lease, and add working time and watched frames.

    A late heartbeat renews a lease that has not been ended yet; otherwise it raises LeaseLost.
    `active_seconds` is the time since the last heartbeat; `watched` has half-open frame intervals.
    Neither counts for more than the server's clock allows since `heartbeat_at`.
    """
    lease = timedelta(minutes=assignment.item.project.lease_minutes)
    for _ in range(ATTEMPTS):
        now = timezone.now()
        counted = _bounded_by_clock(assignment, now, active_seconds, watched or [])
        # Otherwise two simultaneous heartbeats would both count the same time.
        alive = Assignment.objects.filter(
            pk=assignment.pk, state=State.HELD, heartbeat_at=assignment.heartbeat_at
        ).update(lease_expires_at=now + lease, **counted)
        if alive:
            return Heartbeat(now + lease)
        assignment.refresh_from_db(fields=["state", "heartbeat_at", "watched"])
        if assignment.state != State.HELD:
            break
    else:
        # The person's next heartbeat comes soon and can still count this time.
        if Assignment.objects.filter(pk=assignment.pk, state=State.HELD).update(
            lease_expires_at=now + lease
        ):
            return Heartbeat(now + lease)
    refuse_withdrawn(assignment)
    raise LeaseLost(
        "Your hold on this clip has ended because you were inactive for a while. "
        "Your text is kept; take the clip again to submit it."
    )


def _bounded_by_clock(
    assignment: Assignment, now: datetime, active_seconds: int, watched: list[list[int]]
) -> dict[str, Any]:
    """Return the changes of the row that the time since `heartbeat_at` allows.

    `heartbeat_at` advances by the counted time, and to within UNCOUNTED of now, so that fractions
    of seconds and late heartbeats are not lost, and no second is counted twice.
    """
    since = max(now - assignment.heartbeat_at, timedelta())
    seconds = min(active_seconds, MAX_BEAT_SECONDS, int(since.total_seconds()))
    used = timedelta(seconds=seconds)
    changes: dict[str, Any] = {}
    if seconds:
        changes["active_seconds"] = F("active_seconds") + seconds
    if watched:
        clip = assignment.item.clip
        rate = FASTEST_PLAYBACK * 1000 * clip.frames / max(clip.duration_ms, 1)  # frames a second
        before = _count_frames(assignment.watched)
        allowed = int(since.total_seconds() * rate)
        union = _union_within(assignment.watched, watched, clip.frames, allowed)
        used = max(used, timedelta(seconds=(_count_frames(union) - before) / rate))
        changes["watched"] = union
    changes["heartbeat_at"] = max(assignment.heartbeat_at + used, now - UNCOUNTED)
    return changes


def _union_within(
    before: list[list[int]], watched: list[list[int]], frames: int, allowed: int
) -> list[list[int]]:
    """Return `before` with the first frames that `watched` adds to it, at most `allowed`."""
    union = union_of_intervals([*before, *watched], frames)
    if _count_frames(union) - _count_frames(before) <= allowed:
        return union
    kept: list[list[int]] = []
    for start, end in _without(union, before):
        if allowed <= 0:
            break
        kept.append([start, min(end, start + allowed)])
        allowed -= end - start
    return union_of_intervals([*before, *kept], frames)


def _without(union: list[list[int]], before: list[list[int]]) -> list[list[int]]:
    """Return the parts of `union` that are not in `before`, which it contains."""
    rest: list[list[int]] = []
    for start, end in union:
        for first, last in before:
            if start <= first < end:
                if start < first:
                    rest.append([start, first])
                start = last
        if start < end:
            rest.append([start, end])
    return rest


def _count_frames(intervals: list[list[int]]) -> int:
    return sum(end - start for start, end in intervals)


def refuse_withdrawn(assignment: Assignment) -> None:
    """Raise WorkWithdrawn if the work was withdrawn."""
    cancelled = WorkItem.objects.filter(pk=assignment.item_id, state=WorkItem.State.CANCELLED)
    if cancelled.exists():
        raise WorkWithdrawn(
            "This work is no longer needed: the clip has a new caption, or an admin took the work "
            "back. Your text is kept here to read or copy."
        )


def union_of_intervals(intervals: list[list[int]], frames: int) -> list[list[int]]:
    """Return sorted, disjoint half-open intervals within [0, frames)."""
    union: list[list[int]] = []
    for start, end in sorted((max(0, a), min(b, frames)) for a, b in intervals):
        if start >= end:
            continue
        if union and start <= union[-1][1]:
            union[-1][1] = max(union[-1][1], end)
        else:
            union.append([start, end])
    return union
