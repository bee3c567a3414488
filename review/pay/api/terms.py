"""The API of the terms of pay: the currency, rates and the bonus."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from review import access
from review.pay import terms
from review.pay.api.entries import AMOUNT, PAY
from review.pay.forms import BonusForm, CurrencyForm, EndPayForm, RateForm
from review.pay.models import PayRate
from review.pay.money import amount_of

TAG = "Pay"


class PayRateSerializer(RowSerializer[PayRate]):
    per_item = serializers.SerializerMethodField(help_text=AMOUNT)
    per_hour = serializers.SerializerMethodField(help_text=AMOUNT)

    class Meta:
        model = PayRate
        fields = ("id", "kind", "per_item", "per_hour", "pays_training", "starts_on", "created_at")

    def get_per_item(self, rate: PayRate) -> str:
        return str(amount_of(rate.per_item, rate.project.currency))

    def get_per_hour(self, rate: PayRate) -> str:
        return str(amount_of(rate.per_hour, rate.project.currency))


class Rates(ApiView):
    @operation(gives=PayRateSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[PayRate]:
        """List rates of pay. For admins."""
        project = access.admin(asker, slug).project
        return PayRate.objects.filter(project=project).select_related("project")

    @operation(
        gives=PayRateSerializer, takes=body_of("NewPayRate", RateForm), status=201, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> PayRate:
        """Add a rate of pay. For admins. It changes nothing that people have earned."""
        project = access.admin(asker, slug).project
        chosen = checked_form(RateForm(self.typed())).cleaned_data
        return terms.add_rate(project=project, admin=asker.user, **chosen)


class PayEnd(ApiView):
    @operation(
        gives=PayRateSerializer, takes=body_of("PayEnd", EndPayForm), status=201, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> PayRate:
        """End the pay of a kind of work from a day on, by a rate of 0. For admins. What is recorded
        stays."""
        project = access.admin(asker, slug).project
        chosen = checked_form(EndPayForm(self.typed())).cleaned_data
        return terms.end_pay(project=project, admin=asker.user, **chosen)


class Currency(ApiView):
    @operation(takes=body_of("PayCurrency", CurrencyForm), scope=ADMIN)
    def put(self, asker: UserRequest, slug: str) -> Any:
        """Choose the currency. For admins, as long as there is no rate."""
        project = access.admin(asker, slug).project
        chosen = checked_form(CurrencyForm(self.typed())).cleaned_data
        terms.set_currency(project=project, admin=asker.user, **chosen)


class BonusView(ApiView):
    @operation(takes=body_of("PayBonus", BonusForm), scope=ADMIN)
    def put(self, asker: UserRequest, slug: str) -> Any:
        """Set the bonus of spot checks. For admins."""
        project = access.admin(asker, slug).project
        chosen = checked_form(BonusForm(self.typed())).cleaned_data
        terms.set_bonus(project=project, admin=asker.user, **chosen)


urlpatterns = [
    path(f"{PAY}rates/", Rates.as_view(), name="pay_rates"),
    path(f"{PAY}rates/end/", PayEnd.as_view(), name="end_pay"),
    path(f"{PAY}currency/", Currency.as_view(), name="pay_currency"),
    path(f"{PAY}bonus/", BonusView.as_view(), name="set_pay_bonus"),
]
