"""The page of the dynamics check: the draft verdict, and how much of the video was watched."""

from __future__ import annotations

from typing import Any

from annotate.dynamics.services import LONGEST_REMARK
from annotate.models import Assignment
from annotate.queue.content import Content

ENOUGH_PERCENT = 50  # share of the video watched, below which submitting needs a confirmation


def dynamics_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    frames = assignment.item.clip.frames
    seen = sum(end - start for start, end in assignment.watched)
    percent = 100 * seen // frames
    return {
        "looked": content.get("looked", ""),
        "asks_looked": percent < ENOUGH_PERCENT,
        "enough_percent": ENOUGH_PERCENT,
        "verdict": content.get("verdict", ""),
        "remark": content.get("remark", ""),
        "longest_remark": LONGEST_REMARK,
        "watched": " ".join(f"{start}-{end}" for start, end in assignment.watched),
        "watched_percent": percent,
    }
