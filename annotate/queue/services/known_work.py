"""Work with a known answer: training, and gold among real work.

The queue hands it out, leases it and stores its drafts like other work. The feature with the known
answers registers here how it differs.
"""

from __future__ import annotations

from typing import Protocol

from annotate.models import Assignment, Membership, WorkItem
from annotate.queue.services.submissions import Submission
from annotate.rules import rules_for


class KnownWork(Protocol):
    def draw_gold(self, membership: Membership, kind: str) -> WorkItem | None:
        """Return the gold item that comes next for this person in place of real work, or None. The
        same until they take work. One that is reserved for the person comes even if no other work
        is left, for it was opened in place of some."""

    def gold_to_open(
        self, membership: Membership, kind: str, *, instead_of: int
    ) -> WorkItem | None:
        """Return the known item that is to be opened as gold for this person, in place of the next
        real work, which is of the clip `instead_of`, in a kind whose items are opened one by one;
        None for real work."""

    def gold_left(self, membership: Membership, kind: str) -> int:
        """Return how many gold items this person may still get."""

    def store_answer(self, submission: Submission) -> None:
        """Store an answer to training or gold. Raises WorkInvalid as real work of the kind does."""

    def address_after(self, assignment: Assignment) -> str:
        """Return the page that follows a submitted answer; empty for the next work."""


_REGISTERED: list[KnownWork] = []


def register_known_work(known_work: KnownWork) -> None:
    """Register the one feature with known answers, in `AppConfig.ready`. Raises ValueError for a
    second one."""
    if _REGISTERED:
        raise ValueError("Known answers are registered twice.")
    _REGISTERED.append(known_work)


def known_work() -> KnownWork:
    [registered] = _REGISTERED
    return registered


def draw_gold(membership: Membership, kind: str) -> WorkItem | None:
    """Return the gold item that comes next for this person in place of real work, or None."""
    if not rules_for(membership.project, kind).has_gold:
        return None
    return known_work().draw_gold(membership, kind)


def gold_to_open(membership: Membership, kind: str, *, instead_of: int) -> WorkItem | None:
    """Return the known item to open as gold for this person in place of real work of the clip
    `instead_of`, or None."""
    if not rules_for(membership.project, kind).has_gold:
        return None
    return known_work().gold_to_open(membership, kind, instead_of=instead_of)


def gold_left(membership: Membership, kind: str) -> int:
    """Return how many gold items this person may still get. They count among what waits, so that
    the number falls by one with each item."""
    if not rules_for(membership.project, kind).has_gold:
        return 0
    return known_work().gold_left(membership, kind)
