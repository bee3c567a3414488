"""Keeping what is typed and the hold on the work alive."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from annotate.errors import DraftConflict, LeaseLost
from annotate.models import Assignment
from annotate.services.queue.statements import SAVE_DRAFT

State = Assignment.State

# No heartbeat may claim more working time than lies between two of them, with some patience.
LONGEST_BEAT_SECONDS = 120


@dataclass(frozen=True)
class SavedDraft:
    version: int
    saved_at: datetime
    holds_lease: bool


@dataclass(frozen=True)
class Heartbeat:
    lease_expires_at: datetime


def save_draft(*, assignment: Assignment, base_version: int, content: dict[str, Any]) -> SavedDraft:
    """Store the draft if it was based on the stored version, else raise DraftConflict.

    A draft is its author's own: it is stored even when the hold has ended, and refused only once
    the work is submitted.
    """
    now = timezone.now()
    saved = SAVE_DRAFT.change(
        assignment=assignment.pk, base_version=base_version, content=content, now=now
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
    """Keep the hold alive and add up working time and watched frames.

    A late heartbeat renews a hold that nobody has taken back yet; after that it raises LeaseLost.
    `active_seconds` are those since the last heartbeat; `watched` are half-open frame intervals.
    """
    now = timezone.now()
    lease_end = now + timedelta(minutes=assignment.item.project.lease_minutes)
    changes: dict[str, Any] = {"lease_expires_at": lease_end, "heartbeat_at": now}
    if active_seconds > 0:
        changes["active_seconds"] = F("active_seconds") + min(active_seconds, LONGEST_BEAT_SECONDS)
    if watched:
        frames = assignment.item.clip.frames
        changes["watched"] = union_of_intervals([*assignment.watched, *watched], frames)
    alive = Assignment.objects.filter(pk=assignment.pk, state=State.HELD).update(**changes)
    if not alive:
        raise LeaseLost(
            "Your hold on this clip has ended because nothing came from you for a while. "
            "Your text is kept; take the clip again to submit it."
        )
    return Heartbeat(lease_end)


def union_of_intervals(intervals: list[list[int]], frames: int) -> list[list[int]]:
    """Sorted, disjoint half-open intervals within [0, frames)."""
    union: list[list[int]] = []
    for start, end in sorted((max(0, a), min(b, frames)) for a, b in intervals):
        if start >= end:
            continue
        if union and start <= union[-1][1]:
            union[-1][1] = max(union[-1][1], end)
        else:
            union.append([start, end])
    return union
