"""The counts of the board: of a large project kept for a while, because counting takes a second."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.core.cache import cache
from django.utils import timezone

from annotate.models import Project
from inference.runs.new_run_page import takes_long_to_count
from review.overview.facts import Facts, Pace
from review.overview.pace import pace_of
from review.overview.queries import facts_of

# An opened page shows counts of at most this age, and requests new ones at once.
KEPT_SECONDS = 24 * 3600
# Requests for new counts share counts of at most this age.
LIVE = timedelta(seconds=30)
PACE_SECONDS = 10 * 60
# Raise it when a stored dataclass changes.
VERSION = 3


@dataclass(frozen=True)
class Counted:
    """`is_kept`: counted for an earlier page, so that this one has to ask for new counts."""

    facts: Facts
    pace: Pace
    at: datetime
    is_kept: bool = False


def counts_for_page(project: Project) -> Counted:
    """Return counts at once if there are any, else count."""
    if not takes_long_to_count(project):
        return _count(project)
    kept: Counted | None = cache.get(_key(project))
    return kept or count_again(project)


def count_again(project: Project) -> Counted:
    """Return current counts; for a large project, counts of a moment ago if there are any."""
    if not takes_long_to_count(project):
        return _count(project)
    now = timezone.now()
    kept: Counted | None = cache.get(_key(project))
    if kept and kept.at > now - LIVE:
        return kept
    # Requests during a count get the previous counts.
    if kept and not cache.add(f"{_key(project)}-counting", 1, timeout=LIVE.seconds):
        return kept
    facts = facts_of(project)
    counted = Counted(facts, _kept_pace(project, facts), now)
    cache.set(_key(project), replace(counted, is_kept=True), KEPT_SECONDS)
    cache.delete(f"{_key(project)}-counting")
    return counted


def _count(project: Project) -> Counted:
    facts = facts_of(project)
    return Counted(facts, pace_of(project, kinds_in(facts)), timezone.now())


def _kept_pace(project: Project, facts: Facts) -> Pace:
    """Return the pace, at most ten minutes old and never of another day."""
    key = f"{_key(project)}-pace-{timezone.now():%Y-%m-%d}"
    pace: Pace | None = cache.get(key)
    if pace is None:
        pace = pace_of(project, kinds_in(facts))
        cache.set(key, pace, PACE_SECONDS)
    return pace


def kinds_in(facts: Facts) -> list[str]:
    """Return the kinds of work that the project has."""
    return [kind for kind, work in facts.work.items() if work.all]


def _key(project: Project) -> str:
    return f"board-{VERSION}-{project.pk}"
