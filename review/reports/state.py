"""What a page shows while a worker computes its numbers, and where it polls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from review.reports.queries import Request

LABELS_CHANGED = "Labels have changed. A worker will recompute the numbers."
VOTES_CAME = "New votes have come in. A worker will count them. After that, they can’t be changed."
VALUES_CHANGED = "Votes or metrics have changed. A worker will recompute the numbers."
ASKED_FOR = "A worker will compute the numbers."
NOTHING_NEW = "Nothing has changed since the numbers were computed."
NOTHING_YET = "Nothing to compute yet. See below what to start first."


@dataclass(frozen=True)
class ReportState:
    """What a page says about its numbers. `live_url`: polled while a worker computes. `request`:
    the outcome of the last request. `due`: what a worker will do automatically, in words, or "".
    `what`: what was requested. `nothing_new`: the message if the request changed nothing."""

    live_url: str
    request: Request | None
    due: str = ""
    what: str = "The numbers"
    nothing_new: str = ""

    @property
    def is_busy(self) -> bool:
        return bool(self.due) or (self.request is not None and self.request.is_waiting)


def most_urgent(requests: Mapping[str, Request]) -> str:
    """Return the name of the report to show the state of: one that is being computed, else one that
    failed, else one that was recomputed, else the last; "" without reports."""
    return max(requests, key=lambda name: _urgency(requests[name]), default="")


def _urgency(request: Request) -> tuple[Any, ...]:
    return request.is_waiting, bool(request.error), request.is_new is not False, request.at
