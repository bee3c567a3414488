"""Queries about a project's progress, daily work, and stuck work."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TypedDict, cast

from django.db.models import Case, Count, Exists, F, OuterRef, Q, Sum, Value, When, Window
from django.db.models.functions import RowNumber, TruncDate
from django.utils import timezone

from annotate.kinds import Kind, kind_facts, kinds_with
from annotate.models import Assignment, Caption, ImportItem, Membership, Project, WorkItem
from annotate.models.imports import DISMISSED, SETTLED
from annotate.models.jobs import OPEN_STATES
from annotate.programs import that_count

State = Assignment.State
ItemState = ImportItem.State

# An upload that got no byte for this long has stopped.
UPLOAD_STOPPED = timedelta(minutes=10)
DAYS = 14
LISTED = 50

# The caption that each step ends with; of the split's two, one is counted.
CAPTION_OF = {
    (Caption.Kind.GENERAL, Caption.Source.HUMAN): "write",
    (Caption.Kind.GENERAL, Caption.Source.MERGED): "merge",
    (Caption.Kind.SPATIAL, Caption.Source.HUMAN): "split",
}
# Work that is submitted only once, so that submissions are counted instead of captions.
Counted = Iterator[tuple[date, str | None, int]]


def daily_throughput(
    project: Project, steps: Sequence[Kind], last: int = DAYS
) -> tuple[list[date], dict[Kind, list[int]]]:
    """Return the `last` days (UTC), including today, and the submissions of each of `steps` per
    day.
    """
    today = timezone.now().date()
    days = [today - timedelta(days=back) for back in reversed(range(last))]
    start = datetime.combine(days[0], time(), tzinfo=timezone.get_current_timezone())
    per_step: dict[str, dict[date, int]] = {kind: dict.fromkeys(days, 0) for kind in steps}
    for day, step, submitted in [*_captions(project, start, steps), *_once(project, start, steps)]:
        if step in per_step and day in per_step[step]:
            per_step[step][day] += submitted
    return days, {kind: list(per_step[kind].values()) for kind in steps}


def _captions(project: Project, start: datetime, steps: Sequence[Kind]) -> Counted:
    captions = that_count(
        Caption.objects.filter(project=project, created_at__gte=start), project, "author"
    )
    if "hand" in steps:  # Query captions only then: an index covers the daily counts.
        captions = captions.exclude(assignment__item__kind="hand")
    counted = (
        captions.order_by()
        .annotate(day=TruncDate("created_at"))
        .values_list("day", "kind", "source")
        .annotate(captions=Count("pk"))
    )
    for day, kind, source, number in counted:
        yield day, CAPTION_OF.get((kind, source)), number


def _once(project: Project, start: datetime, steps: Sequence[Kind]) -> Counted:
    kinds = set(steps) - set(kinds_with("makes_texts"))
    if not kinds:
        return
    counted = (
        that_count(
            Assignment.objects.filter(
                item__project=project,
                item__kind__in=kinds,
                item__purpose=WorkItem.Purpose.WORK,
                state=State.SUBMITTED,
                submitted_at__gte=start,
            ),
            project,
            "annotator",
        )
        .order_by()
        .annotate(day=TruncDate("submitted_at"))
        .values_list("day", "item__kind")
        .annotate(submitted=Count("pk"))
    )
    for day, kind, submitted in counted:
        yield day, Kind(kind), submitted


@dataclass(frozen=True)
class PersonTime:
    """The time that one person has spent; `steps` is (seconds, submitted) in the order of the
    steps.
    """

    name: str
    steps: list[tuple[int, int]]

    @property
    def seconds(self) -> int:
        return sum(seconds for seconds, _ in self.steps)


def time_per_person(project: Project, kinds: Sequence[Kind]) -> list[PersonTime]:
    """Return everybody who has taken work of these kinds, by name."""
    spent: dict[tuple[str, int], dict[str, tuple[int, int]]] = defaultdict(dict)
    rows = (
        that_count(
            Assignment.objects.filter(item__project=project, item__kind__in=kinds),
            project,
            "annotator",
        )
        .order_by()
        .values_list("annotator__name", "annotator", "item__kind")
        .annotate(
            seconds=Sum("active_seconds"),
            submitted=Count("pk", filter=Q(state=State.SUBMITTED)),
        )
    )
    for name, annotator, kind, seconds, submitted in rows:
        spent[name, annotator][kind] = (seconds, submitted)
    return [
        PersonTime(name, [steps.get(kind, (0, 0)) for kind in kinds])
        for (name, _), steps in sorted(spent.items())
    ]


@dataclass(frozen=True)
class Stuck:
    """An assignment that needs attention. `is_stranded`: only an admin can release the work; of
    several assignments of the same work only the first has this set, since one release is enough.
    `is_free`: others can take the work.
    """

    hold: Assignment
    is_stranded: bool
    is_free: bool


def unfinished_work(project: Project) -> tuple[list[Assignment], list[Assignment]]:
    """Return (work that people hold or should resume, longest inactive first; skipped work with a
    free place), each with at most LISTED + 1 entries, which shows whether there are more.
    """
    is_skipped = Q(state=State.SKIPPED)
    rows = (
        Assignment.objects.filter(item__project=project)
        .filter(
            Q(state__in=[State.HELD, State.RETURNED, State.PAUSED])
            | is_skipped & Q(item__state=WorkItem.State.OPEN, item__open_slots__gt=0)
        )
        .annotate(
            is_skipped=Case(When(is_skipped, then=Value(True)), default=Value(False)),
            place=Window(
                RowNumber(), partition_by=F("is_skipped"), order_by=["heartbeat_at", "pk"]
            ),
        )
        .filter(place__lte=LISTED + 1)
        .select_related("item__clip", "annotator")
        .defer("draft", "watched")
        .order_by("place")
    )
    unfinished = list(rows)
    return [row for row in unfinished if not row.is_skipped], [
        row for row in unfinished if row.is_skipped
    ]


def mark_stranded(project: Project, holds: list[Assignment]) -> list[Stuck]:
    """Return the work that nobody can take. Two queries."""
    if not holds:
        return []
    members = list(Membership.objects.filter(project=project, user__is_active=True))
    took: dict[int, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    bars: dict[int, set[int]] = defaultdict(set)
    for clip, item, kind, person, state in Assignment.objects.filter(
        item__clip__in={hold.item.clip_id for hold in holds}
    ).values_list("item__clip", "item", "item__kind", "annotator", "state"):
        took[clip][kind].add(person)
        if state != State.EXPIRED:
            bars[item].add(person)

    def is_stranded(hold: Assignment) -> bool:
        kind = Kind(hold.item.kind)
        able = {m.user_id for m in members if m.has_role(*kind_facts(kind).roles)}
        if hold.state == State.RETURNED:
            return hold.annotator_id not in able
        earlier = kind_facts(kind).barred_by
        barred = bars[hold.item_id].union(*(took[hold.item.clip_id][k] for k in earlier))
        return hold.state == State.SKIPPED and hold.annotator_id in able and not able - barred

    stranded: set[int] = set()
    marked = []
    for hold in holds:
        first = hold.item_id not in stranded and is_stranded(hold)
        if first:
            stranded.add(hold.item_id)
        marked.append(Stuck(hold, first, is_free=hold.item_id not in stranded))
    return marked


class ImportCounts(TypedDict):
    """Files of imports: `refused` ones that an admin has to look at, those that are `running` now,
    `stopped` uploads that got no byte for a while, and `dismissed` ones."""

    refused: int
    running: int
    stopped: int
    dismissed: int


def imports_to_fix(project: Project) -> ImportCounts:
    """Count the files. One that was imported again later, under the same name, no longer counts,
    nor does a copy of a file that the project has."""
    items = ImportItem.objects.filter(batch__project=project)
    again = items.filter(name=OuterRef("name"), pk__gt=OuterRef("pk"))
    uploads = Q(state=ItemState.UPLOADING)
    silent = uploads & Q(received_at__lt=timezone.now() - UPLOAD_STOPPED)
    refused = Q(state=ItemState.FAILED) & ~Q(code__in=SETTLED) & ~Q(Exists(again))
    counts = items.aggregate(
        refused=Count("pk", filter=refused),
        running=Count("pk", filter=Q(state__in=OPEN_STATES) & ~silent),
        stopped=Count("pk", filter=silent & ~Q(Exists(again))),
        dismissed=Count("pk", filter=Q(code=DISMISSED) & ~Q(Exists(again))),
    )
    return cast(ImportCounts, counts)
