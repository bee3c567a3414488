"""The API of what people earned, and of statements."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest, member
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.models import Project
from review import access
from review.pay import access as pay_access
from review.pay import services
from review.pay.forms import ApprovalForm, CorrectionForm
from review.pay.models import PayEntry, PayStatement
from review.pay.money import amount_of
from review.pay.pages import period_end
from review.pay.queries import (
    PersonPay,
    lines_of,
    open_entries,
    people_paid,
    statement_entries,
    statements_of,
    today,
)

TAG = "Pay"
AMOUNT = "A decimal in the project’s currency, as text."


class PayOfDaySerializer(serializers.Serializer[Any]):
    day = serializers.DateField(help_text="Of UTC.")
    kind = serializers.CharField()
    items = serializers.IntegerField()
    active_seconds = serializers.IntegerField()
    amount = serializers.CharField(help_text=AMOUNT)


class PayEntrySerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    type = serializers.ChoiceField(choices=PayEntry.Source.choices)
    kind = serializers.CharField()
    earned_at = serializers.DateTimeField()
    reason = serializers.CharField()
    amount = serializers.CharField(help_text=AMOUNT)


class PayLinesSerializer(serializers.Serializer[Any]):
    currency = serializers.CharField()
    sum = serializers.CharField(help_text=AMOUNT)
    entries = serializers.IntegerField()
    digest = serializers.CharField(help_text="SHA-256 of the keys and amounts of the entries.")
    work = PayOfDaySerializer(many=True)
    others = PayEntrySerializer(many=True)


class PersonPaySerializer(serializers.Serializer[Any]):
    person = serializers.IntegerField()
    items = serializers.IntegerField()
    active_seconds = serializers.IntegerField()
    work = serializers.CharField(help_text=AMOUNT)
    bonus = serializers.CharField(help_text=AMOUNT)
    corrections = serializers.CharField(help_text=AMOUNT)
    approved = serializers.CharField(help_text=AMOUNT)
    open = serializers.CharField(help_text=AMOUNT)


class EverybodysPaySerializer(serializers.Serializer[Any]):
    currency = serializers.CharField()
    until = serializers.DateField()
    people = PersonPaySerializer(many=True)


class PayStatementSerializer(RowSerializer[PayStatement]):
    amount = serializers.SerializerMethodField(help_text=AMOUNT)

    class Meta:
        model = PayStatement
        fields = ("id", "person", "until", "amount", "entries", "digest", "approved_at")

    def get_amount(self, statement: PayStatement) -> str:
        return str(amount_of(statement.units, statement.project.currency))


class PayPeriodSerializer(serializers.Serializer[Any]):
    until = serializers.DateField(
        required=False, help_text="The last day, of UTC; the end of last month if left out."
    )


class NewEntriesSerializer(serializers.Serializer[Any]):
    entries = serializers.IntegerField()


def _lines(project: Project, entries: QuerySet[PayEntry]) -> dict[str, Any]:
    lines = lines_of(entries, project.currency)

    def amount(units: int) -> str:
        return str(amount_of(units, project.currency))

    return {
        "currency": project.currency,
        "sum": amount(lines.units),
        "entries": lines.entries,
        "digest": lines.digest,
        "work": [
            {
                "day": line.day,
                "kind": line.kind,
                "items": line.items,
                "active_seconds": line.seconds,
                "amount": amount(line.units),
            }
            for line in lines.work
        ],
        "others": [
            {
                "id": entry.pk,
                "type": entry.source,
                "kind": entry.kind,
                "earned_at": entry.earned_at,
                "reason": entry.reason,
                "amount": amount(entry.units),
            }
            for entry in lines.others
        ],
    }


class Pay(ApiView):
    @operation(gives=PayLinesSerializer)
    def get(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """Show your open pay. What you earned that no statement has yet."""
        project = member(asker, slug).project
        return _lines(project, open_entries(project, asker.user, today()))


class Statements(ApiView):
    @operation(gives=PayStatementSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[PayStatement]:
        """List approved statements. Your own, and for admins everybody’s."""
        membership = member(asker, slug)
        person = None if membership.is_admin else asker.user
        return statements_of(membership.project, person)


class StatementView(ApiView):
    @operation(gives=PayLinesSerializer)
    def get(self, asker: UserRequest, slug: str, statement_id: int) -> dict[str, Any]:
        """Show an approved statement. Your own, and for admins anybody’s."""
        membership = member(asker, slug)
        statement = pay_access.statement_in(membership, statement_id)
        return _lines(membership.project, statement_entries(statement))


class People(ApiView):
    @operation(gives=EverybodysPaySerializer, query=PayPeriodSerializer)
    def get(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """List everybody’s pay. For admins."""
        project = access.admin(asker, slug).project
        until = period_end(self.query)
        return {
            "currency": project.currency,
            "until": until,
            "people": [_person(row) for row in people_paid(project, until)],
        }


def _person(row: PersonPay) -> dict[str, Any]:
    amounts = {
        "work": row.work,
        "bonus": row.bonus,
        "corrections": row.correction,
        "approved": row.approved,
        "open": row.due,
    }
    return {
        "person": row.person.pk,
        "items": row.items,
        "active_seconds": row.seconds,
        **{name: str(amount_of(units, row.currency)) for name, units in amounts.items()},
    }


class PersonView(ApiView):
    @operation(gives=PayLinesSerializer, query=PayPeriodSerializer)
    def get(self, asker: UserRequest, slug: str, person_id: int) -> dict[str, Any]:
        """Show a person’s open pay. For admins, who approve it with its digest."""
        membership, person = pay_access.paid_person(asker, slug, person_id)
        project = membership.project
        return _lines(project, open_entries(project, person, period_end(self.query)))


class Correct(ApiView):
    @operation(takes=body_of("PayCorrection", CorrectionForm), scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, person_id: int) -> Any:
        """Correct a person’s pay. For admins, with a reason."""
        membership, person = pay_access.paid_person(asker, slug, person_id)
        chosen = checked_form(CorrectionForm(self.typed())).cleaned_data
        services.correct_pay(project=membership.project, person=person, admin=asker.user, **chosen)


class Approve(ApiView):
    @operation(
        gives=PayStatementSerializer,
        takes=body_of("PayApproval", ApprovalForm),
        status=201,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str, person_id: int) -> PayStatement:
        """Approve a person’s open pay. For admins; `digest` is of the entries that they saw."""
        membership, person = pay_access.paid_person(asker, slug, person_id)
        chosen = checked_form(ApprovalForm(self.typed())).cleaned_data
        return services.approve_pay(
            project=membership.project, person=person, admin=asker.user, **chosen
        )


class Record(ApiView):
    @operation(gives=NewEntriesSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> dict[str, int]:
        """Write the entries of finished work. For admins; Vericap does so every five minutes."""
        return {"entries": services.record_pay(project=access.admin(asker, slug).project)}


class CheckBonus(ApiView):
    @operation(gives=NewEntriesSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, check_id: int) -> dict[str, int]:
        """Pay the bonus of an ended spot check. For admins."""
        check = pay_access.spot_check(asker, slug, check_id)
        return {"entries": services.pay_bonus(check=check, admin=asker.user)}


PAY = "projects/<slug:slug>/pay/"
PERSON = f"{PAY}people/<int:person_id>/"
urlpatterns = [
    path(PAY, Pay.as_view(), name="pay"),
    path(f"{PAY}statements/", Statements.as_view(), name="pay_statements"),
    path(f"{PAY}statements/<int:statement_id>/", StatementView.as_view(), name="pay_statement"),
    path(f"{PAY}people/", People.as_view(), name="pay_people"),
    path(PERSON, PersonView.as_view(), name="person_pay"),
    path(f"{PERSON}correct/", Correct.as_view(), name="correct_pay"),
    path(f"{PERSON}approve/", Approve.as_view(), name="approve_pay"),
    path(f"{PAY}record/", Record.as_view(), name="record_pay"),
    path(f"{PAY}spot-checks/<int:check_id>/bonus/", CheckBonus.as_view(), name="pay_bonus"),
]
