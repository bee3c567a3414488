"""A person's finished work without training: today, this week and in total, and their time per
item."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from statistics import median

from django.db.models import Count, F, Q, QuerySet, Sum, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from annotate.models import Assignment, Caption, Membership, WorkItem

# The typical time is the median of this many last items, or of all if there are fewer.
MAX_RECENT = 20


@dataclass(frozen=True)
class Span:
    """Items finished in a time, and the seconds of active work on them."""

    items: int = 0
    seconds: int = 0

    @property
    def active_time(self) -> str:
        return in_words(self.seconds)

    def __add__(self, other: Span) -> Span:
        return Span(self.items + other.items, self.seconds + other.seconds)


@dataclass(frozen=True)
class Finished:
    today: Span = Span()
    week: Span = Span()
    all: Span = Span()
    words: int = 0


def in_words(seconds: int) -> str:
    if 0 < seconds < 60:
        return "under 1 min"
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min"


def finished_by_kind(membership: Membership) -> dict[str, Finished]:
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    today = Q(submitted_at__gte=midnight)
    week = Q(submitted_at__gte=midnight - timedelta(days=midnight.weekday()))
    counts = (
        _submitted(membership)
        .values("item__kind")
        .annotate(
            today=Count("pk", filter=today),
            today_seconds=Sum("active_seconds", filter=today),
            week=Count("pk", filter=week),
            week_seconds=Sum("active_seconds", filter=week),
            all=Count("pk"),
            seconds=Sum("active_seconds"),
        )
        .order_by("item__kind")
    )
    words = dict(
        Caption.objects.filter(author=membership.user, project=membership.project)
        .exclude(assignment__item__purpose=WorkItem.Purpose.TRAINING)
        .values_list("assignment__item__kind")
        .annotate(words=Sum("word_count"))
        .order_by("assignment__item__kind")
    )
    return {
        row["item__kind"]: Finished(
            today=Span(row["today"], row["today_seconds"] or 0),
            week=Span(row["week"], row["week_seconds"] or 0),
            all=Span(row["all"], row["seconds"] or 0),
            words=words.get(row["item__kind"], 0),
        )
        for row in counts
    }


def typical_minutes(membership: Membership) -> dict[str, str]:
    """Return the median active minutes of the person's last items of each kind; work by a program
    has no active time."""
    newest = Window(
        RowNumber(), partition_by=F("item__kind"), order_by=(F("submitted_at").desc(), F("pk"))
    )
    recent = (
        _submitted(membership)
        .filter(active_seconds__gt=0)
        .annotate(place=newest)
        .filter(place__lte=MAX_RECENT)
        .order_by()
        .values_list("item__kind", "active_seconds")
    )
    seconds: dict[str, list[int]] = {}
    for kind, active in recent:
        seconds.setdefault(kind, []).append(active)
    return {kind: _minutes(median(times)) for kind, times in seconds.items()}


def _minutes(seconds: float) -> str:
    minutes = seconds / 60
    if minutes < 1:
        return "under 1 min"
    number = f"{minutes:.1f}".removesuffix(".0") if minutes < 10 else f"{minutes:.0f}"
    return f"about {number} min"


def _submitted(membership: Membership) -> QuerySet[Assignment]:
    return Assignment.objects.filter(
        annotator=membership.user,
        item__project=membership.project,
        state=Assignment.State.SUBMITTED,
    ).exclude(item__purpose=WorkItem.Purpose.TRAINING)
