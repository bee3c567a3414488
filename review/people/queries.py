"""The numbers of each person and kind of work, counted in the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber, TruncDate
from django.utils import timezone

from annotate.models import Assignment, Project, WorkItem
from annotate.programs import that_count
from annotate.queue.services.drafts import MAX_BEAT_SECONDS
from metrics.reliability import Reliability
from review.agreement import NAME as AGREEMENT_NAME
from review.comparisons.agreement import COMPARISONS, turned
from review.quality.models import GivenAnswer
from review.quality.queries import Accuracy
from review.reliability.answers import KIND_OF_TASK
from review.reliability.beside import newest_reports
from review.reliability.report import WORK
from review.reports.models import Report
from review.reports.results import OldResult, result_of
from review.spot_checks.queries import judged_counts

Purpose, State = WorkItem.Purpose, Assignment.State

DAYS = 14
# the last items of a person and kind, from which times are computed
RECENT = 200

# (a person's key, the kind of work)
Who = tuple[int, str]


@dataclass(frozen=True)
class Item:
    """A finished item: its person and kind, the time at it, its clip with its length, and the share
    of the clip that was played, 0 to 1."""

    person: int
    kind: str
    seconds: float
    clip: int
    clip_seconds: float
    watched: float = 1.0


@dataclass(frozen=True)
class Vote:
    """A vote that counts: whether it is for the `left` caption, None for neither. `has_changed`: of
    a repeat, whether its outcome differs from that of the person's first vote, sides aside."""

    person: int
    left: bool | None
    is_repeat: bool
    has_changed: bool


@dataclass(frozen=True)
class Agreed:
    """How many of the units that a person shares with others, counted for each other person, got
    the same label."""

    equal: int
    of: int

    @property
    def share(self) -> float | None:
        return self.equal / self.of if self.of else None


@dataclass(frozen=True)
class Checked:
    """Spot checks of a person: all judgments, and those of checks that have ended."""

    all: Accuracy
    ended: Accuracy


def finished_work(project: Project) -> QuerySet[Assignment]:
    """Return submitted work without training. Gold is included: otherwise a person could recognize
    gold by a number that doesn't rise."""
    finished = Assignment.objects.filter(
        item__project=project, state=State.SUBMITTED, submitted_at__isnull=False
    ).exclude(item__purpose=Purpose.TRAINING)
    return that_count(finished, project, "annotator")


def finished_counts(project: Project) -> dict[Who, int]:
    rows = finished_work(project).order_by().values_list("annotator", "item__kind")
    return {(person, kind): count for person, kind, count in rows.annotate(count=Count("pk"))}


def last_days() -> list[date]:
    """Return the last DAYS days of UTC, today last."""
    today = timezone.now().astimezone(UTC).date()
    return [today - timedelta(days=back) for back in reversed(range(DAYS))]


def finished_per_day(project: Project, days: Sequence[date]) -> dict[Who, list[int]]:
    """Return how much each active person finished on each of these days."""
    since = datetime.combine(days[0], time.min, UTC)
    rows = (
        finished_work(project)
        .filter(submitted_at__gte=since)
        .order_by()
        .annotate(day=TruncDate("submitted_at", tzinfo=UTC))
        .values_list("annotator", "item__kind", "day")
        .annotate(count=Count("pk"))
    )
    places = {day: place for place, day in enumerate(days)}
    counts: dict[Who, list[int]] = defaultdict(lambda: [0] * len(days))
    for person, kind, day, count in rows:
        if day in places:
            counts[person, kind][places[day]] = count
    return dict(counts)


def recent_items(project: Project) -> list[Item]:
    """Return the last RECENT items of each person and kind, the newest first. One query.

    The time is the active time that was reported, and the time since that report. A page reports
    every half minute and not when it submits, so an item of a few seconds has no active time.
    """
    newest = Window(
        RowNumber(),
        partition_by=[F("annotator"), F("item__kind")],
        order_by=[F("submitted_at").desc(), F("pk").desc()],
    )
    rows = (
        finished_work(project)
        .annotate(place=newest)
        .filter(place__lte=RECENT)
        .order_by("place")
        .values_list(
            *("annotator", "item__kind", "active_seconds", "heartbeat_at", "submitted_at"),
            *("item__clip", "item__clip__duration_ms", "watched"),
            F("item__clip__end_frame") - F("item__clip__start_frame"),
        )
    )
    return [
        Item(
            person,
            kind,
            active + _unreported(reported, submitted),
            clip,
            (length or 0) / 1000,
            sum(end - start for start, end in watched) / max(frames, 1),
        )
        for person, kind, active, reported, submitted, clip, length, watched, frames in rows
    ]


def _unreported(reported: datetime, submitted: datetime) -> float:
    """Return the seconds between the last report and the submit, as far as one may claim them."""
    return min(max(0.0, (submitted - reported).total_seconds()), MAX_BEAT_SECONDS)


def votes(project: Project) -> list[Vote]:
    """Return the votes of members that Agreement counts, in no order that says anything."""
    rows = COMPARISONS.read(project)
    outcomes = {row[0]: turned(row[6], row[5]) for row in rows}
    cast = []
    for caption_pair, repeats, _, _, rater, _, outcome in rows:
        person = rater.removeprefix("user:")
        if person == rater:
            continue  # an imported vote, whose label isn't an account
        left = {"left": True, "right": False}.get(outcome)
        if repeats is None:
            cast.append(Vote(int(person), left, False, False))
        elif repeats in outcomes:
            has_changed = outcomes[repeats] != outcomes[caption_pair]
            cast.append(Vote(int(person), left, True, has_changed))
    return cast


def sent_back(project: Project) -> dict[Who, tuple[int, int]]:
    """Return how many items of each person were ever sent back, and how many of these the person
    has not submitted again."""
    rows = (
        that_count(
            Assignment.objects.filter(item__project=project, sent_back_at__isnull=False),
            project,
            "annotator",
        )
        .order_by()
        .values_list("annotator", "item__kind")
        .annotate(count=Count("pk"), away=Count("pk", filter=~Q(state=State.SUBMITTED)))
    )
    return {(person, kind): (count, away) for person, kind, count, away in rows}


def gold_answers(project: Project) -> dict[Who, Accuracy]:
    rows = (
        that_count(
            GivenAnswer.objects.filter(
                known_answer__project=project, known_answer__item__purpose=Purpose.GOLD
            ),
            project,
            "person",
        )
        .order_by()
        .values_list("person", "known_answer__item__kind")
        .annotate(right=Count("pk", filter=Q(is_right=True)), answered=Count("pk"))
    )
    return {(person, kind): Accuracy(right, answered) for person, kind, right, answered in rows}


def spot_checked(project: Project) -> dict[Who, Checked]:
    return {
        who: Checked(
            Accuracy(counts.right, counts.judged), Accuracy(counts.ended_right, counts.ended)
        )
        for who, counts in judged_counts(project).items()
    }


@dataclass(frozen=True)
class _Pair:
    first: int
    second: int
    n_units: int
    equal: float


@dataclass(frozen=True)
class _Question:
    raters: Sequence[str]
    pairs: Sequence[_Pair]


@dataclass(frozen=True)
class _Agreement:
    questions: Sequence[_Question]


def agreement(project: Project) -> dict[Who, Agreed]:
    """Return how often each person agrees with the others, by the newest reports on agreement."""
    counts: dict[Who, list[int]] = defaultdict(lambda: [0, 0])
    for report in Report.objects.newest(project, AGREEMENT_NAME):
        kind = KIND_OF_TASK.get(report.subject)
        if kind is None:
            continue
        first_question = result_of(report, _Agreement).questions[0]
        for pair in first_question.pairs:
            for place in (pair.first, pair.second):
                person = first_question.raters[place].removeprefix("user:")
                if person.isdecimal():
                    counted = counts[int(person), kind]
                    counted[0] += round(pair.equal * pair.n_units)
                    counted[1] += pair.n_units
    return {who: Agreed(equal, of) for who, (equal, of) in counts.items()}


@dataclass(frozen=True)
class _Person:
    rater: str
    estimate: Reliability


@dataclass(frozen=True)
class _Kind:
    people: Sequence[_Person]


def reliabilities(project: Project) -> dict[Who, Reliability]:
    """Return the reliability of each person by the newest reports, where it has one. One query."""
    by_who: dict[Who, Reliability] = {}
    for kind, report in newest_reports(project, f"{WORK}:").items():
        with suppress(OldResult):
            for person in result_of(report, _Kind).people:
                key = person.rater.removeprefix("user:")
                if key.isdecimal() and person.estimate.value is not None:
                    by_who[int(key), kind] = person.estimate
    return by_who
