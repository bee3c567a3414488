"""People's earnings by day and kind, and how much is approved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from itertools import zip_longest

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotate.kinds import Kind
from annotate.models import Assignment, Project, User, WorkItem
from annotate.ordering import natural_key
from annotate.programs import by_people
from annotate.queue.finished import in_words as time_in_words
from review.pay.models import PayBonus, PayEntry, PayRate, PayStatement
from review.spot_checks.models import SpotCheck, SpotCheckItem
from review.spot_checks.queries import PersonChecked

Source = PayEntry.Source
Purpose = WorkItem.Purpose


def start_of(day: date) -> datetime:
    """Return the first moment of a day of UTC."""
    return datetime.combine(day, time.min, UTC)


def end_of(day: date) -> datetime:
    """Return the moment after the last of a day of UTC."""
    return start_of(day + timedelta(days=1))


def last_month(today: date) -> date:
    """Return the last day of the month before."""
    return today.replace(day=1) - timedelta(days=1)


def in_short(day: date) -> str:
    """Return a day such as "1 Mar 2026", as the pages show it."""
    return f"{day:%d %b %Y}".lstrip("0")


def today() -> date:
    return timezone.now().astimezone(UTC).date()


@dataclass(frozen=True)
class Rates:
    """The rates of a project: by kind, the one that began last first."""

    by_kind: Mapping[str, list[PayRate]]

    def on(self, kind: str, day: date) -> PayRate | None:
        """Return the rate of a kind on a day; None before the first and where pay has ended."""
        begun = (rate for rate in self.by_kind.get(kind, ()) if rate.starts_on <= day)
        rate = next(begun, None)
        return rate if rate and rate.pays else None

    def periods(self) -> Iterator[tuple[PayRate, date | None]]:
        """Return each rate that pays, and the day on which the next one begins, if there is one."""
        for rates in self.by_kind.values():
            by_day = {rate.starts_on: rate for rate in reversed(rates)}
            for rate, ends_on in zip_longest(by_day.values(), list(by_day)[1:]):
                if rate.pays:
                    yield rate, ends_on


def rates_of(project: Project) -> Rates:
    by_kind: dict[str, list[PayRate]] = {}
    for rate in PayRate.objects.filter(project=project).order_by("-starts_on", "-pk"):
        by_kind.setdefault(rate.kind, []).append(rate)
    return Rates(by_kind)


def bonus_of(project: Project) -> PayBonus | None:
    return PayBonus.objects.filter(project=project).order_by("-pk").first()


def unrecorded_work(project: Project) -> QuerySet[Assignment]:
    """Return submitted work that a rate pays and that has no entry. Gold is paid like other work;
    training waits for a rate that pays it."""
    is_due = Q(pk__in=[])
    for rate, ends_on in rates_of(project).periods():
        is_paid = Q(item__kind=rate.kind, submitted_at__gte=start_of(rate.starts_on))
        if ends_on is not None:
            is_paid &= Q(submitted_at__lt=start_of(ends_on))
        if not rate.pays_training:
            is_paid &= ~Q(item__purpose=Purpose.TRAINING)
        is_due |= is_paid
    submitted = Assignment.objects.filter(
        is_due,
        item__project=project,
        state=Assignment.State.SUBMITTED,
        pay_entry=None,
    )
    return by_people(submitted, project, "annotator")


def open_entries(project: Project, person: User, until: date) -> QuerySet[PayEntry]:
    """Return the person's entries up to a day that no statement has, in their order."""
    entries = PayEntry.objects.filter(
        project=project, person=person, earned_at__lt=end_of(until), approval=None
    )
    return by_people(entries, project, "person").order_by("pk")


def digest_of(currency: str, entries: Iterable[tuple[int, int]]) -> str:
    """Return the SHA-256 of the currency and the (key, minor units) of entries in order."""
    lines = [currency, *(f"{key} {units}" for key, units in entries)]
    return sha256("\n".join(lines).encode()).hexdigest()


@dataclass(frozen=True)
class DayLine:
    """What one kind of work earned on one day of UTC."""

    day: date
    kind: str
    items: int
    seconds: int
    units: int

    @property
    def label(self) -> str:
        return Kind(self.kind).label

    @property
    def active_time(self) -> str:
        return time_in_words(self.seconds)


@dataclass(frozen=True)
class Lines:
    """Entries as a statement lists them: work by day and kind, the others one by one."""

    currency: str
    work: list[DayLine]
    others: list[PayEntry]
    units: int
    entries: int
    digest: str


def lines_of(entries: QuerySet[PayEntry], currency: str) -> Lines:
    """Add entries up. Three queries, for any number."""
    rows = (
        entries.filter(source=Source.WORK)
        .annotate(day=TruncDate("earned_at", tzinfo=UTC))
        .order_by("-day", "kind")
        .values_list("day", "kind")
        .annotate(items=Count("pk"), seconds=Sum("seconds"), units=Sum("units"))
    )
    keys = list(entries.order_by("pk").values_list("pk", "units"))
    others = entries.exclude(source=Source.WORK).select_related("created_by").order_by("-pk")
    return Lines(
        currency=currency,
        work=[DayLine(*row) for row in rows],
        others=list(others),
        units=sum(units for _, units in keys),
        entries=len(keys),
        digest=digest_of(currency, keys),
    )


def statement_entries(statement: PayStatement) -> QuerySet[PayEntry]:
    return PayEntry.objects.filter(approval__statement=statement)


@dataclass(frozen=True)
class PersonPay:
    """A person's sums in minor units; `due` is the sum of a statement up to the chosen day."""

    person: User
    currency: str
    items: int
    seconds: int
    work: int
    bonus: int
    correction: int
    approved: int
    due: int
    kinds: list[str] = field(default_factory=list)

    @property
    def active_time(self) -> str:
        return time_in_words(self.seconds)

    @property
    def total(self) -> int:
        return self.work + self.bonus + self.correction


def people_paid(project: Project, until: date) -> list[PersonPay]:
    """Return everybody with an entry, by name. Three queries."""
    is_approved = Q(approval__isnull=False)
    is_due = Q(approval=None, earned_at__lt=end_of(until))
    entries = by_people(PayEntry.objects.filter(project=project), project, "person").order_by()
    sums = entries.values("person").annotate(
        items=Count("pk", filter=Q(source=Source.WORK)),
        active=Sum("seconds"),
        work=Sum("units", filter=Q(source=Source.WORK), default=0),
        bonus=Sum("units", filter=Q(source=Source.BONUS), default=0),
        correction=Sum("units", filter=Q(source=Source.CORRECTION), default=0),
        approved=Sum("units", filter=is_approved, default=0),
        due=Sum("units", filter=is_due, default=0),
    )
    of_kind: dict[int, list[str]] = {}
    work = entries.filter(source=Source.WORK)
    for person, kind, items in work.values_list("person", "kind").annotate(items=Count("pk")):
        of_kind.setdefault(person, []).append(f"{Kind(kind).label}: {items:,}")
    people = User.objects.in_bulk([row["person"] for row in sums])
    rows = [
        PersonPay(
            person=people[row["person"]],
            currency=project.currency,
            items=row["items"],
            seconds=row["active"],
            work=row["work"],
            bonus=row["bonus"],
            correction=row["correction"],
            approved=row["approved"],
            due=row["due"],
            kinds=sorted(of_kind.get(row["person"], [])),
        )
        for row in sums
    ]
    return sorted(rows, key=lambda row: (natural_key(row.person.name), row.person.pk))


def statements_of(project: Project, person: User | None = None) -> QuerySet[PayStatement]:
    """Return the approved statements, the newest first."""
    statements = PayStatement.objects.filter(project=project).order_by("-pk")
    if person is not None:
        statements = statements.filter(person=person)
    return statements.select_related("person", "approved_by", "project")


@dataclass(frozen=True)
class EndedCheck:
    """An ended spot check whose bonus is not paid to everybody who earned it."""

    check: SpotCheck
    people: list[str]


def unpaid_checks(project: Project) -> list[EndedCheck]:
    """Return the ended spot checks with a bonus to pay. Running checks reveal nothing."""
    ended = SpotCheck.objects.filter(project=project, ended_at__isnull=False)
    checks = ended.prefetch_related("pay_entries").order_by("pk")
    items = SpotCheckItem.objects.filter(check_of__in=ended)
    earners = bonus_earners(by_people(items, project, "assignment__annotator"))
    rows = []
    for check in checks:
        paid = {entry.person_id for entry in check.pay_entries.all()}
        unpaid = [row.person for row in earners.get(check.pk, ()) if row.person_id not in paid]
        if unpaid:
            rows.append(EndedCheck(check, unpaid))
    return rows


def bonus_earners(items: QuerySet[SpotCheckItem]) -> dict[int, list[PersonChecked]]:
    """Return the people whose items of a check are all judged and right enough, by the key of the
    check. One query."""
    rows = (
        items.order_by()
        .values_list("check_of", "assignment__annotator__name", "assignment__annotator")
        .annotate(
            drawn=Count("pk"),
            judged=Count("pk", filter=Q(is_right__isnull=False)),
            right=Count("pk", filter=Q(is_right=True)),
        )
        .order_by("assignment__annotator__name", "assignment__annotator")
    )
    earners: dict[int, list[PersonChecked]] = {}
    for check, *numbers in rows:
        person = PersonChecked(*numbers)
        if person.earns_bonus:
            earners.setdefault(check, []).append(person)
    return earners


def checked_work_units(check: SpotCheck, person_id: int) -> int:
    """Return what the person's work of the kind earned between the previous check and this one, in
    minor units."""
    earlier = (
        SpotCheck.objects.filter(project=check.project_id, kind=check.kind, pk__lt=check.pk)
        .order_by("-pk")
        .values_list("created_at", flat=True)
        .first()
    )
    entries = PayEntry.objects.filter(
        project=check.project_id,
        person=person_id,
        kind=check.kind,
        source=Source.WORK,
        earned_at__lte=check.created_at,
    )
    if earlier is not None:
        entries = entries.filter(earned_at__gt=earlier)
    return int(entries.aggregate(units=Sum("units", default=0))["units"])


def paid_members(project: Project) -> QuerySet[User]:
    """Return the members, and those who have left and have entries."""
    members = Q(memberships__project=project)
    return User.objects.filter(members | Q(pay_entries__project=project)).distinct()
