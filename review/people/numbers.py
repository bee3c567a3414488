"""The numbers of each person in each kind of work, as pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from annotate.kinds import Kind
from annotate.models import Membership, Project
from annotate.queue.kinds import kinds_of
from metrics.reliability import Reliability
from review.people.queries import (
    DAYS,
    Agreed,
    Checked,
    Item,
    Who,
    agreement,
    finished_counts,
    finished_per_day,
    gold_answers,
    last_days,
    recent_items,
    reliabilities,
    sent_back,
    spot_checked,
    votes,
)
from review.people.signs import SignOf, signs_of
from review.people.words import NAMES, observed, tested
from review.quality.queries import Accuracy

NONE = Accuracy(0, 0)


@dataclass(frozen=True)
class Minutes:
    """The median and the quartiles of the active minutes of `items` items."""

    median: float
    lower: float
    upper: float
    items: int


@dataclass(frozen=True)
class Day:
    """One day of the trend, as a bar of a chart whose height is the most of any day."""

    day: date
    count: float
    place: int
    top: float


@dataclass(frozen=True)
class ShownSign:
    """A sign in words. `tested`: the test's numbers, or why they are missing."""

    key: str
    name: str
    observed: str
    tested: str
    is_marked: bool


@dataclass(frozen=True)
class Numbers:
    """One person's numbers in one kind of work. `agreed` and `reliability` are None without a
    report."""

    membership: Membership
    kind: Kind
    finished: int
    days: list[Day]
    highest: int
    minutes: Minutes | None
    gold: Accuracy
    spot_checks: Accuracy
    agreed: Agreed | None
    reliability: Reliability | None
    sent_back: int
    submitted: int
    signs: list[ShownSign]

    @property
    def marks(self) -> list[ShownSign]:
        return [sign for sign in self.signs if sign.is_marked]

    @property
    def per_day(self) -> list[int]:
        return [int(day.count) for day in self.days]

    @property
    def recently(self) -> int:
        """How many were finished in the days of the trend."""
        return sum(self.per_day)

    @property
    def trend(self) -> str:
        return f"{self.recently} in the last {DAYS} days, at most {self.highest} on one day"

    @property
    def sent_back_share(self) -> float | None:
        return self.sent_back / self.submitted if self.submitted else None


class ProjectNumbers:
    """All numbers of a project, read once: ten queries, for any number of people."""

    def __init__(self, project: Project) -> None:
        self.days = last_days()
        self.finished = finished_counts(project)
        self.per_day = finished_per_day(project, self.days)
        items = recent_items(project)
        self.times = _times(items)
        self.signs = _by_person(signs_of(items, votes(project)))
        self.sent_back = sent_back(project)
        self.gold = gold_answers(project)
        self.spot_checks = spot_checked(project)
        self.agreed = agreement(project)
        self.reliability = reliabilities(project)
        self.kinds = kinds_of(project, {kind for _, kind in (*self.finished, *self.sent_back)})

    def has(self, member: Membership, kind: Kind) -> bool:
        who = (member.user_id, kind)
        return who in self.finished or who in self.sent_back

    def of(self, member: Membership, kind: Kind) -> Numbers:
        who = (member.user_id, kind)
        finished = self.finished.get(who, 0)
        ever, away = self.sent_back.get(who, (0, 0))
        counts = self.per_day.get(who, [0] * len(self.days))
        return Numbers(
            membership=member,
            kind=kind,
            finished=finished,
            days=bars(self.days, counts),
            highest=max(*counts, 1),
            minutes=self.times.get(who),
            gold=self.gold.get(who, NONE),
            spot_checks=self.spot_checks.get(who, Checked(NONE, NONE)).all,
            agreed=self.agreed.get(who),
            reliability=self.reliability.get(who),
            sent_back=ever,
            submitted=finished + away,
            signs=[_shown(sign) for sign in self.signs.get(who, ())],
        )

    def of_person(self, member: Membership) -> list[Numbers]:
        return [self.of(member, kind) for kind in self.kinds if self.has(member, kind)]


def bars(days: Sequence[date], values: Sequence[float]) -> list[Day]:
    """Return the bars of a chart over days."""
    highest = max(*values, 1)
    return [
        Day(day, value, place, highest - value)
        for place, (day, value) in enumerate(zip(days, values, strict=True))
    ]


def _times(items: Sequence[Item]) -> dict[Who, Minutes]:
    seconds: dict[Who, list[float]] = {}
    for item in items:
        seconds.setdefault((item.person, item.kind), []).append(item.seconds)
    minutes = {}
    for who, times in seconds.items():
        lower, median, upper = (float(cut) / 60 for cut in np.percentile(times, (25, 50, 75)))
        minutes[who] = Minutes(median, lower, upper, len(times))
    return minutes


def _by_person(signs: Sequence[SignOf]) -> dict[Who, list[SignOf]]:
    by_person: dict[Who, list[SignOf]] = {}
    for sign in signs:
        by_person.setdefault((sign.person, sign.kind), []).append(sign)
    return by_person


def _shown(sign: SignOf) -> ShownSign:
    return ShownSign(
        sign.sign.value, NAMES[sign.sign], observed(sign), tested(sign), sign.is_marked
    )
