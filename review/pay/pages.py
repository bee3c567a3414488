"""The pages and the file of pay."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date
from typing import Any

from annotate.forms import offer_choices
from annotate.models import Membership, Project, User, WorkItem
from annotate.queue.kinds import kinds_of
from review.display.tables import csv_lines
from review.pay.forms import (
    END_IDS,
    ApprovalForm,
    BonusForm,
    CorrectionForm,
    CurrencyForm,
    EndPayForm,
    PeriodForm,
    RateForm,
)
from review.pay.models import PayEntry, PayRate, PayStatement
from review.pay.money import amount_of
from review.pay.queries import (
    bonus_of,
    last_month,
    lines_of,
    open_entries,
    people_paid,
    rates_of,
    statement_entries,
    statements_of,
    today,
    unpaid_checks,
    unrecorded_work,
)

COLUMNS = (
    *("statement", "person", "email", "until", "approved_at", "approved_by", "currency"),
    *("entry", "earned_on", "source", "kind", "active_seconds", "amount", "reason"),
    "statement_sha256",
)


def period_end(data: Any) -> date:
    """Return the day that was asked for, or else the last of the month before."""
    form = PeriodForm(data)
    until = form.cleaned_data["until"] if form.is_valid() else None
    return until or last_month(today())


def pay_context(membership: Membership) -> dict[str, Any]:
    """Return the person's own pay: open entries up to today, and their statements."""
    return _of_person(membership, membership.user, today())


def person_context(
    membership: Membership,
    person: User,
    until: date,
    form: CorrectionForm | None = None,
    approval: ApprovalForm | None = None,
) -> dict[str, Any]:
    """Return a person's pay for an admin, who corrects and approves it."""
    forms = {"form": form or CorrectionForm(), "approval": approval}
    return _of_person(membership, person, until) | forms


def _of_person(membership: Membership, person: User, until: date) -> dict[str, Any]:
    project = membership.project
    return {
        "membership": membership,
        "project": project,
        "person": person,
        "until": until,
        "lines": lines_of(open_entries(project, person, until), project.currency),
        "statements": statements_of(project, person),
    }


def statement_context(membership: Membership, statement: PayStatement) -> dict[str, Any]:
    project = membership.project
    return {
        "membership": membership,
        "project": project,
        "statement": statement,
        "lines": lines_of(statement_entries(statement), project.currency),
    }


def people_context(membership: Membership, data: Any) -> dict[str, Any]:
    project = membership.project
    until = period_end(data)
    people = people_paid(project, until)
    return {
        "membership": membership,
        "project": project,
        "until": until,
        "today": today(),
        "is_month": until == last_month(today()),
        "period": PeriodForm(initial={"until": until}),
        "people": people,
        "due": sum(person.due for person in people),
        "total": sum(person.total for person in people),
        "checks": unpaid_checks(project),
        "has_rates": PayRate.objects.filter(project=project).exists(),
        "unrecorded": unrecorded_work(project).count(),
    }


def rates_context(
    membership: Membership,
    *,
    kind: str = "",
    currency: CurrencyForm | None = None,
    rate: RateForm | None = None,
    end: EndPayForm | None = None,
    bonus: BonusForm | None = None,
) -> dict[str, Any]:
    project = membership.project
    rate = rate or RateForm(initial={"kind": kind, "starts_on": today()})
    in_use = WorkItem.objects.filter(project=project).values_list("kind", flat=True).distinct()
    kinds = kinds_of(project, set(in_use))
    offer_choices(rate, "kind", [(each, each.label) for each in kinds])
    end = end or EndPayForm(initial={"starts_on": today()}, auto_id=END_IDS)
    paid = _paid_kinds(project)
    offer_choices(end, "kind", paid)
    current = bonus_of(project)
    return {
        "membership": membership,
        "project": project,
        "rates": PayRate.objects.filter(project=project).select_related("created_by"),
        "current_bonus": current,
        "currency_form": currency or CurrencyForm(initial={"currency": project.currency}),
        "rate_form": rate,
        "end_form": end if paid else None,
        "bonus_form": bonus or BonusForm(initial=BonusForm.values_of(current)),
    }


def _paid_kinds(project: Project) -> list[tuple[str, str]]:
    """Return the kinds of work whose pay can end: those that are paid today, also if an end is set
    for a later day, and those whose newest rate pays.
    """
    rates, day = rates_of(project), today()
    return sorted(
        (kind, of_kind[0].get_kind_display())
        for kind, of_kind in rates.by_kind.items()
        if of_kind[0].pays or rates.on(kind, day)
    )


def statements_csv(project: Project) -> Iterator[str]:
    """Return the entries of all approved statements as lines of CSV, by statement."""
    entries = PayEntry.objects.filter(project=project, approval__isnull=False)
    rows = entries.select_related("person", "approval__statement__approved_by")
    ordered = rows.order_by("approval__statement", "pk").iterator(chunk_size=1000)
    return csv_lines(COLUMNS, (_row(entry, project.currency) for entry in ordered))


def _row(entry: PayEntry, currency: str) -> tuple[object, ...]:
    statement = entry.approval.statement
    return (
        statement.pk,
        entry.person.name,
        entry.person.email,
        statement.until.isoformat(),
        statement.approved_at.astimezone(UTC).isoformat(timespec="seconds"),
        statement.approved_by.name,
        currency,
        entry.pk,
        entry.earned_at.astimezone(UTC).date().isoformat(),
        entry.source,
        entry.kind,
        entry.seconds,
        amount_of(entry.units, currency),
        entry.reason,
        statement.digest,
    )
