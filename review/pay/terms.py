"""The terms of pay: set the currency, rates and the bonus of a project."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.db import transaction

from annotate.audit import record_event
from annotate.kinds import Kind
from annotate.models import Project, User
from review.errors import ReviewError
from review.pay.models import PayBonus, PayEntry, PayRate
from review.pay.money import CURRENCIES, amount_of, decimals_of, units_of
from review.pay.queries import in_short, rates_of


@transaction.atomic
def set_currency(*, project: Project, currency: str, admin: User) -> None:
    """Choose the currency. Raises ReviewError once there are rates or entries in another."""
    locked = Project.objects.lock(project.pk)
    if currency not in CURRENCIES:
        raise ReviewError(f"Choose a currency code of ISO 4217; {currency} isn't one.")
    has_amounts = (
        PayRate.objects.filter(project=project).exists()
        or PayBonus.objects.filter(project=project).exists()
        or PayEntry.objects.filter(project=project).exists()
    )
    if has_amounts and currency != locked.currency:
        raise ReviewError(
            f"Rates and entries are in {locked.currency}, so the currency can't change any more."
        )
    Project.objects.filter(pk=project.pk).update(currency=currency)
    project.currency = currency
    record_event(
        actor=admin,
        verb="set currency",
        subject=project,
        project=project,
        before={"currency": locked.currency},
        after={"currency": currency},
    )


@transaction.atomic
def add_rate(
    *,
    project: Project,
    kind: str,
    per_item: Decimal,
    per_hour: Decimal,
    pays_training: bool,
    starts_on: date,
    admin: User,
) -> PayRate:
    """Add a rate that applies from a day on. Recorded entries keep their rate. Raises
    ReviewError.
    """
    if not per_item and not per_hour:
        raise ReviewError("Both rates are 0. Type an amount per item, per hour, or both.")
    currency = Project.objects.lock(project.pk).currency
    rate = PayRate.objects.create(
        project=project,
        kind=kind,
        per_item=units_in(per_item, currency, "The rate per item"),
        per_hour=units_in(per_hour, currency, "The rate per hour"),
        pays_training=pays_training,
        starts_on=starts_on,
        created_by=admin,
    )
    record_event(
        actor=admin,
        verb="add rate of pay",
        subject=rate,
        project=project,
        after={
            "kind": kind,
            "per_item": str(per_item),
            "per_hour": str(per_hour),
            "pays_training": pays_training,
            "starts_on": starts_on.isoformat(),
        },
    )
    return rate


@transaction.atomic
def end_pay(*, project: Project, kind: str, starts_on: date, admin: User) -> PayRate:
    """End the pay of a kind of work from a day on, by a rate of 0. Recorded entries stay. Raises
    ReviewError if the kind isn't paid on that day.
    """
    Project.objects.lock(project.pk)
    if rates_of(project).on(kind, starts_on) is None:
        label = Kind(kind).label
        raise ReviewError(
            f"{label} isn't paid on {in_short(starts_on)}, so there is nothing to end. Choose "
            "other work or another day."
        )
    rate = PayRate.objects.create(
        project=project, kind=kind, per_item=0, per_hour=0, starts_on=starts_on, created_by=admin
    )
    record_event(
        actor=admin,
        verb="end pay",
        subject=rate,
        project=project,
        after={"kind": kind, "starts_on": starts_on.isoformat()},
    )
    return rate


@transaction.atomic
def set_bonus(*, project: Project, amount: Decimal, percent: int, admin: User) -> PayBonus:
    """Set the bonus of a spot check with enough right work. Paid bonuses stay. Raises
    ReviewError.
    """
    currency = Project.objects.lock(project.pk).currency
    bonus = PayBonus.objects.create(
        project=project,
        units=units_in(amount, currency, "The amount"),
        percent=percent,
        created_by=admin,
    )
    record_event(
        actor=admin,
        verb="set bonus",
        subject=bonus,
        project=project,
        after={"amount": str(amount), "percent": percent},
    )
    return bonus


def units_in(amount: Decimal, currency: str, name: str) -> int:
    """Return an amount in minor units. Raises ReviewError for one that the currency hasn't."""
    if not currency:
        raise ReviewError("Choose the project's currency first.")
    try:
        return units_of(amount, currency)
    except ValueError:
        smallest = amount_of(1, currency)
        raise ReviewError(
            f"{name} is {amount}. Amounts in {currency} have {decimals_of(currency)} decimals: "
            f"type a multiple of {smallest} below a billion."
        ) from None
