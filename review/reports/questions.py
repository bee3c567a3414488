"""The questions of one kind of task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from annotate.models import Project
from review.reports.answers import Question, Share


@dataclass(frozen=True)
class Read:
    """The first question is the task's main one; the others are about parts of it."""

    questions: list[Question]
    shares: Sequence[Share] = ()


@dataclass(frozen=True)
class Stored:
    """How many rows a task has, the key of the newest (0: none), and how many are newer than a
    given one."""

    count: int
    last: int
    newer: int


@dataclass(frozen=True)
class Task:
    """`stored`: the rows by people, which are never changed. `read`: reads them as plain numbers
    and texts, in an order that reveals nothing. `ask`: makes the questions of these."""

    key: str
    stored: Callable[[Project], QuerySet[Any]]
    read: Callable[[Project], list[Any]]
    ask: Callable[[list[Any]], Read]

    def state(self, project: Project, since: int = 0) -> Stored:
        """Return the state of the stored rows. `since`: the key of the newest known row."""
        rows = self.stored(project).order_by()
        counts = rows.aggregate(
            count=Count("pk"), last=Max("pk"), newer=Count("pk", filter=Q(pk__gt=since))
        )
        return Stored(counts["count"], counts["last"] or 0, counts["newer"])


def rater_key(user: int | None, label: str = "") -> str:
    """Return `user:12`, or `label:A1` for a person known only by an imported label."""
    return f"label:{label}" if user is None else f"user:{user}"
