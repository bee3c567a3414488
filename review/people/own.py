"""The page Your numbers: the marks and spot checks of a person, and their last days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import Any

from django.db.models import Count, Sum
from django.db.models.functions import TruncDate

from annotate.models import Membership
from annotate.queue.kinds import kinds_of
from review.people.numbers import bars
from review.people.queries import (
    finished_counts,
    finished_work,
    last_days,
    recent_items,
    spot_checked,
    votes,
)
from review.people.signs import signs_of
from review.people.words import observed


def own_context(membership: Membership) -> dict[str, Any]:
    """Return the context. Spot checks count once they have ended, and gold doesn't: otherwise the
    person could tell which item had a known answer."""
    project, person = membership.project, membership.user_id
    days = last_days()
    counts, minutes = _recent_days(membership, days)
    signs = signs_of(recent_items(project), votes(project))
    marked = [sign for sign in signs if sign.person == person and sign.is_marked]
    labels = {str(kind): kind.label for kind in kinds_of(project, {s.kind for s in marked})}
    checked = [each.ended for (who, _), each in spot_checked(project).items() if who == person]
    return {
        "membership": membership,
        "project": project,
        "has_finished": any(who == person for who, _ in finished_counts(project)),
        "marks": [(labels[sign.kind], observed(sign)) for sign in marked],
        "right": sum(each.right for each in checked),
        "checked": sum(each.answered for each in checked),
        "finished": bars(days, counts),
        "most": max(counts),
        "minutes": bars(days, minutes),
        "longest": max(minutes),
        "minutes_top": max(*minutes, 1.0),
    }


def _recent_days(membership: Membership, days: Sequence[date]) -> tuple[list[int], list[float]]:
    """Return how many items the person finished on each day, and their mean active minutes."""
    rows = (
        finished_work(membership.project)
        .filter(
            annotator=membership.user_id, submitted_at__gte=datetime.combine(days[0], time.min, UTC)
        )
        .order_by()
        .annotate(day=TruncDate("submitted_at", tzinfo=UTC))
        .values_list("day")
        .annotate(count=Count("pk"), seconds=Sum("active_seconds"))
    )
    by_day = {day: (count, seconds / 60 / count) for day, count, seconds in rows}
    each_day = [by_day.get(day, (0, 0.0)) for day in days]
    return [count for count, _ in each_day], [minutes for _, minutes in each_day]
