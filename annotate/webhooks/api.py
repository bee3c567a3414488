"""The API of webhooks, for admins."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters, NewestFirst
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.models import Role, Webhook, WebhookDelivery
from annotate.webhooks.forms import WebhookForm
from annotate.webhooks.services import endpoints

TAG = "Webhooks"
EVENTS = serializers.ListField(
    child=serializers.ChoiceField(choices=Webhook.Event.choices), allow_empty=False, max_length=10
)


class WebhookSerializer(RowSerializer[Webhook]):
    events = EVENTS
    off_because = serializers.CharField(help_text="Why Vericap turned it off.")
    failures = serializers.IntegerField(help_text="Messages in a row that failed for good.")

    class Meta:
        model = Webhook
        fields: tuple[str, ...] = (
            *("id", "address", "events", "is_on", "off_because", "failures", "created_at"),
        )


class MadeWebhookSerializer(WebhookSerializer):
    secret = serializers.CharField(help_text="Shown once; it signs the messages.")

    class Meta(WebhookSerializer.Meta):
        fields: tuple[str, ...] = (*WebhookSerializer.Meta.fields, "secret")


class NewWebhookSerializer(serializers.Serializer[Any]):
    address = serializers.CharField(max_length=500, help_text="Beginning with https://.")
    events = EVENTS


class WebhookChangesSerializer(serializers.Serializer[Any]):
    """Fields that are left out stay unchanged."""

    address = serializers.CharField(max_length=500, required=False)
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=Webhook.Event.choices),
        allow_empty=False,
        max_length=10,
        required=False,
    )
    is_on = serializers.BooleanField(required=False)


class DeliverySerializer(RowSerializer[WebhookDelivery]):
    event = serializers.CharField()
    status = serializers.IntegerField(allow_null=True, help_text="Of the last answer.")
    milliseconds = serializers.IntegerField(allow_null=True)
    attempts = serializers.IntegerField()

    class Meta:
        model = WebhookDelivery
        fields = (
            *("id", "message_id", "event", "body", "state", "attempts", "status", "milliseconds"),
            *("answer", "problem", "created_at", "attempted_at"),
        )


class Webhooks(ApiView):
    @operation(gives=WebhookSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Webhook]:
        """List webhooks. For admins."""
        project = access.member(asker, slug, Role.ADMIN).project
        return Webhook.objects.filter(project=project)

    @operation(gives=MadeWebhookSerializer, takes=NewWebhookSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> Webhook:
        """Add a webhook. The answer has its secret, which is never shown again."""
        project = access.member(asker, slug, Role.ADMIN).project
        form = checked_form(WebhookForm(self.values))
        webhook, secret = endpoints.add_webhook(
            project=project,
            admin=asker.user,
            site=asker.build_absolute_uri("/"),
            **form.cleaned_data,
        )
        return _with_secret(webhook, secret)


class WebhookView(ApiView):
    @operation(gives=WebhookSerializer)
    def get(self, asker: UserRequest, slug: str, webhook_id: int) -> Webhook:
        """Show a webhook. For admins."""
        return access.webhook(asker, slug, webhook_id)[1]

    @operation(gives=WebhookSerializer, takes=WebhookChangesSerializer, scope=ADMIN)
    def patch(self, asker: UserRequest, slug: str, webhook_id: int) -> Webhook:
        """Change a webhook, or turn it on or off."""
        _, webhook = access.webhook(asker, slug, webhook_id)
        values = {"address": webhook.address, "events": webhook.events} | self.values
        is_on = values.pop("is_on", webhook.is_on)
        form = checked_form(WebhookForm(values))
        site = asker.build_absolute_uri("/")
        if {"address", "events"} & self.values.keys():
            webhook = endpoints.change_webhook(
                webhook=webhook, admin=asker.user, site=site, **form.cleaned_data
            )
        if is_on != webhook.is_on:
            turn = endpoints.turn_on if is_on else endpoints.turn_off
            webhook = turn(webhook=webhook, admin=asker.user)
        return webhook

    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, webhook_id: int) -> None:
        """Delete a webhook with its list of messages."""
        endpoints.delete_webhook(
            webhook=access.webhook(asker, slug, webhook_id)[1], admin=asker.user
        )


class RotateWebhook(ApiView):
    @operation(gives=MadeWebhookSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, webhook_id: int) -> Webhook:
        """Make a new secret. For a day, messages are also signed with the old one."""
        _, webhook = access.webhook(asker, slug, webhook_id)
        return _with_secret(*endpoints.rotate_secret(webhook=webhook, admin=asker.user))


class SendTest(ApiView):
    @operation(gives=DeliverySerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, webhook_id: int) -> WebhookDelivery:
        """Send a test. It is tried once, also if the webhook is off."""
        return endpoints.send_test(webhook=access.webhook(asker, slug, webhook_id)[1])


class Deliveries(ApiView):
    @operation(gives=DeliverySerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str, webhook_id: int) -> QuerySet[WebhookDelivery]:
        """List messages to a webhook, the newest first, with their answers. For admins."""
        _, webhook = access.webhook(asker, slug, webhook_id)
        return WebhookDelivery.objects.filter(webhook=webhook)


class Redeliver(ApiView):
    @operation(gives=DeliverySerializer, scope=ADMIN)
    def post(
        self, asker: UserRequest, slug: str, webhook_id: int, delivery_id: int
    ) -> WebhookDelivery:
        """Send a message again, with the same id."""
        _, delivery = access.webhook_delivery(asker, slug, webhook_id, delivery_id)
        return endpoints.redeliver(delivery=delivery)


def _with_secret(webhook: Webhook, secret: str) -> Webhook:
    webhook.secret = secret  # type: ignore[attr-defined]  # for the serializer
    return webhook


WEBHOOKS = "projects/<slug:slug>/webhooks/"
WEBHOOK = f"{WEBHOOKS}<int:webhook_id>/"
urlpatterns = [
    path(WEBHOOKS, Webhooks.as_view(), name="webhooks"),
    path(WEBHOOK, WebhookView.as_view(), name="webhook"),
    path(f"{WEBHOOK}rotate/", RotateWebhook.as_view(), name="rotate_webhook"),
    path(f"{WEBHOOK}test/", SendTest.as_view(), name="test_webhook"),
    path(f"{WEBHOOK}deliveries/", Deliveries.as_view(), name="webhook_deliveries"),
    path(f"{WEBHOOK}deliveries/<int:delivery_id>/", Redeliver.as_view(), name="redeliver_webhook"),
]
