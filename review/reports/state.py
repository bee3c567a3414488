"""What a page says while a worker makes its numbers, and where it asks again."""

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
    """What a page says about its numbers. `live_url`: asked every few seconds while a worker
    computes. `request`: the outcome of the last request. `due`: what a worker will do by itself,
    in words, or empty. `what`: what was requested. `nothing_new`: what to say if the request
    changed nothing."""

    live_url: str
    request: Request | None
    due: str = ""
    what: str = "The numbers"
    nothing_new: str = ""

    @property
    def is_busy(self) -> bool:
        return bool(self.due) or (self.request is not None and self.request.is_waiting)


def most_urgent(requests: Mapping[str, Request]) -> str:
    """Of several reports, by name, the one that is waited for, else one that failed, else one that
    was made anew, else the last. "" of none."""
    return max(requests, key=lambda name: _urgency(requests[name]), default="")


def _urgency(request: Request) -> tuple[Any, ...]:
    return request.is_waiting, bool(request.error), request.is_new is not False, request.at
