"""The work done on each of the last complete days, and how long people and models took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import BigIntegerField, Count, Q, Sum
from django.db.models.functions import Cast

from annotate.kinds import Kind
from annotate.models import Assignment, Project, WorkItem
from annotate.programs import by_people, that_count
from metrics.forecast import MAX_DAYS
from review.activity.queries import daily_throughput
from review.hours.queries import SECONDS_PER_HOUR, device_hours
from review.overview.facts import Money, Pace
from review.pay.models import PayEntry
from review.pay.queries import rates_of, today


def pace_of(project: Project, kinds: Sequence[str]) -> Pace:
    """Return the pace of these kinds of work, and of all runs. Today is excluded, because it isn't
    over (UTC). Four queries, and two more in a project that pays.
    """
    steps = [Kind(kind) for kind in kinds]
    per_day: dict[str, list[int]] = {}
    if steps:
        _, of_steps = daily_throughput(project, steps, last=MAX_DAYS + 1)
        per_day = {kind: counts[:-1] for kind, counts in of_steps.items()}
    is_timed = Q(state=Assignment.State.SUBMITTED, active_seconds__gt=0)
    seconds_of_one = Cast("active_seconds", BigIntegerField())
    spent = list(
        that_count(
            Assignment.objects.filter(item__project=project, item__purpose=WorkItem.Purpose.WORK),
            project,
            "annotator",
        )
        .order_by()
        .values_list("item__kind")
        .annotate(
            seconds=Sum("active_seconds"),
            submitted=Count("pk", filter=Q(state=Assignment.State.SUBMITTED)),
            timed=Count("pk", filter=is_timed),
            timed_seconds=Sum(seconds_of_one, filter=is_timed, default=0),
            squares=Sum(seconds_of_one * seconds_of_one, filter=is_timed, default=0),
        )
    )
    models: dict[str, tuple[float, int]] = {}
    for row in device_hours(project):
        seconds, results = models.get(row.kind, (0.0, 0))
        timed = row.results - row.untimed
        models[row.kind] = (seconds + row.hours * SECONDS_PER_HOUR, results + timed)
    people = {kind: (seconds, submitted) for kind, seconds, submitted, *_ in spent}
    times = {kind: (n, int(total), int(squares)) for kind, *_, n, total, squares in spent}
    return Pace(per_day, people, models, _money(project, times))


def _money(project: Project, times: Mapping[str, tuple[int, int, int]]) -> Money | None:
    """Return the cost of the work and today's rates; None in a project that doesn't pay."""
    if not project.currency:
        return None
    entries = by_people(PayEntry.objects.filter(project=project), project, "person")
    paid = entries.order_by().values_list("kind")
    rates, day = rates_of(project), today()
    current = {kind: rate for kind in rates.by_kind if (rate := rates.on(kind, day))}
    return Money(
        currency=project.currency,
        paid={kind: int(units) for kind, units in paid.annotate(units=Sum("units"))},
        rates={kind: (rate.per_item, rate.per_hour) for kind, rate in current.items()},
        times=times,
    )
