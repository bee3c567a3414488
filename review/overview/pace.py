"""What was done on each of the last finished days, and how long people and models took."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, Q, Sum

from annotate.models import Assignment, Project, WorkItem
from metrics.forecast import MOST_DAYS
from review.activity.queries import daily_throughput
from review.hours.queries import SECONDS_PER_HOUR, device_hours
from review.overview.facts import Pace


def pace_of(project: Project, kinds: Sequence[str]) -> Pace:
    """Return the pace of these kinds of work, and of all runs. Today is left out, for it isn't over
    (UTC). Four queries.
    """
    steps = [WorkItem.Kind(kind) for kind in kinds]
    per_day: dict[str, list[int]] = {}
    if steps:
        _, of_steps = daily_throughput(project, steps, last=MOST_DAYS + 1)
        per_day = {kind.value: counts[:-1] for kind, counts in of_steps.items()}
    spent = (
        Assignment.objects.filter(item__project=project, item__purpose=WorkItem.Purpose.WORK)
        .order_by()
        .values_list("item__kind")
        .annotate(
            seconds=Sum("active_seconds"),
            submitted=Count("pk", filter=Q(state=Assignment.State.SUBMITTED)),
        )
    )
    models: dict[str, tuple[float, int]] = {}
    for row in device_hours(project):
        seconds, results = models.get(row.kind, (0.0, 0))
        timed = row.results - row.untimed
        models[row.kind] = (seconds + row.hours * SECONDS_PER_HOUR, results + timed)
    return Pace(per_day, {kind: (seconds, done) for kind, seconds, done in spent}, models)
