"""Record what people earned, correct it, and approve statements."""

from __future__ import annotations

from datetime import UTC, date
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.models import Project, User
from annotate.programs import by_people
from review.errors import ReviewError
from review.pay.models import ApprovedEntry, PayEntry, PayStatement
from review.pay.money import earned_units, in_words, share_units
from review.pay.queries import (
    bonus_earners,
    bonus_of,
    checked_work_units,
    digest_of,
    open_entries,
    rates_of,
    today,
    unrecorded_work,
)
from review.pay.telling import tell_paid
from review.pay.terms import units_in
from review.spot_checks.models import SpotCheck

BATCH_SIZE = 1000
MAX_REASON_LENGTH = 500
Source = PayEntry.Source


@transaction.atomic
def record_pay(*, project: Project) -> int:
    """Write the entries of submitted work that has none yet; return how many. Safe to repeat, and
    to run twice at once: the second waits for the first and finds nothing left.

    Work earns by the rate of the day on which it was submitted. Nothing is written for work that is
    held, sent back, expired or skipped, nor a second time for work that is submitted again.
    """
    if not project.currency:
        return 0
    Project.objects.lock(project.pk)
    rates = rates_of(project)
    rows = unrecorded_work(project).order_by("submitted_at", "pk")
    columns = ("pk", "annotator", "item__kind", "active_seconds", "submitted_at")
    entries = []
    for key, person, kind, seconds, submitted_at in rows.values_list(*columns):
        rate = rates.on(kind, submitted_at.astimezone(UTC).date())
        if rate is None:  # the query has only work that a rate pays
            continue
        entries.append(
            PayEntry(
                project=project,
                person_id=person,
                source=Source.WORK,
                kind=kind,
                units=earned_units(rate.per_item, rate.per_hour, seconds),
                seconds=seconds,
                earned_at=submitted_at,
                assignment_id=key,
                rate=rate,
            )
        )
    PayEntry.objects.bulk_create(entries, batch_size=BATCH_SIZE)
    return len(entries)


def record_all_pay() -> int:
    """Write the entries of all projects that pay people; return how many."""
    paying = Project.objects.exclude(currency="").order_by("pk")
    return sum(record_pay(project=project) for project in paying)


@transaction.atomic
def correct_pay(
    *, project: Project, person: User, amount: Decimal, reason: str, admin: User
) -> PayEntry:
    """Add an amount to the person's earnings; a negative one reduces them. Raises ReviewError."""
    currency = Project.objects.lock(project.pk).currency
    reason = reason.strip()
    if not reason:
        raise ReviewError("Write the reason: the person reads it in their statement.")
    if len(reason) > MAX_REASON_LENGTH:
        raise ReviewError(
            f"The reason has {len(reason)} characters. Shorten it to {MAX_REASON_LENGTH}."
        )
    units = units_in(amount, currency, "The amount")
    if not units:
        raise ReviewError("Type an amount other than 0.")
    entry = PayEntry.objects.create(
        project=project,
        person=person,
        source=Source.CORRECTION,
        units=units,
        earned_at=timezone.now(),
        reason=reason,
        created_by=admin,
    )
    record_event(
        actor=admin,
        verb="correct pay",
        subject=entry,
        project=project,
        after={"person": person.pk, "amount": str(amount), "reason": reason},
    )
    tell_paid(entry, f"Your pay was corrected by {in_words(units, currency)}.", reason)
    return entry


@transaction.atomic
def pay_bonus(*, check: SpotCheck, admin: User) -> int:
    """Add a bonus for each person who earned one in an ended spot check and has none yet; return
    their number. Raises ReviewError.

    The percentage applies to what the checked kind of work earned between the drawing of the
    previous check and of this one, so that nothing counts twice.
    """
    project = Project.objects.lock(check.project_id)
    check = SpotCheck.objects.get(pk=check.pk)
    bonus = bonus_of(project)
    if check.ended_at is None:
        raise ReviewError("End the spot check first: until then its judgments can change.")
    if bonus is None:
        raise ReviewError("Set a bonus under Rates of pay first.")
    earlier = SpotCheck.objects.filter(project=project, kind=check.kind, pk__lt=check.pk)
    if bonus.percent and earlier.filter(ended_at=None).exists():
        raise ReviewError("End the earlier spot checks of this work first.")
    record_pay(project=project)
    paid = set(check.pay_entries.values_list("person", flat=True))
    unpaid = [
        person.person_id
        for person in bonus_earners(
            by_people(check.items.all(), check.project, "assignment__annotator")
        ).get(check.pk, ())
        if person.person_id not in paid
    ]
    drawn = check.created_at.astimezone(UTC)
    reason = f"Spot check of {drawn:%d %B %Y}: {check.get_kind_display()}"
    for person in unpaid:
        earned = checked_work_units(check, person)
        entry = PayEntry.objects.create(
            project=project,
            person_id=person,
            source=Source.BONUS,
            kind=check.kind,
            units=bonus.units + share_units(earned, bonus.percent),
            earned_at=timezone.now(),
            spot_check=check,
            reason=reason,
            created_by=admin,
        )
        tell_paid(entry, f"You got a bonus of {in_words(entry.units, project.currency)}.", reason)
    record_event(
        actor=admin,
        verb="pay bonus",
        subject=check,
        project=project,
        after={"people": unpaid, "percent": bonus.percent, "units": bonus.units},
    )
    return len(unpaid)


@transaction.atomic
def approve_pay(
    *, project: Project, person: User, until: date, digest: str, admin: User
) -> PayStatement:
    """Approve the person's open entries up to a day, which no later statement has again.

    `digest` is of the entries that the admin saw. Raises ReviewError if others are open now.
    """
    currency = Project.objects.lock(project.pk).currency
    if until > today():
        raise ReviewError("Choose today or an earlier day: later work isn't done yet.")
    entries = list(open_entries(project, person, until).values_list("pk", "units"))
    if not entries:
        raise ReviewError("Nothing is open up to this day, so there is nothing to approve.")
    if digest_of(currency, entries) != digest:
        raise ReviewError(
            "The entries have changed since you opened the page. Check them and approve again."
        )
    statement = PayStatement.objects.create(
        project=project,
        person=person,
        until=until,
        units=sum(units for _, units in entries),
        entries=len(entries),
        digest=digest,
        approved_by=admin,
    )
    ApprovedEntry.objects.bulk_create(
        (ApprovedEntry(statement=statement, entry_id=key) for key, _ in entries),
        batch_size=BATCH_SIZE,
    )
    record_event(
        actor=admin,
        verb="approve pay",
        subject=statement,
        project=project,
        after={
            "person": person.pk,
            "until": until.isoformat(),
            "sum": in_words(statement.units, currency),
            "entries": len(entries),
            "digest": digest,
        },
    )
    tell_paid(
        statement,
        f"Your pay up to {until:%d %B %Y} is approved: {in_words(statement.units, currency)}.",
    )
    return statement
