"""Which deliveries are due, and which secrets a webhook signs with."""

from __future__ import annotations

from django.conf import settings
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from annotate.models import Project, Webhook, WebhookDelivery
from annotate.webhooks.signing import secret_of

State = WebhookDelivery.State


def due_deliveries() -> QuerySet[WebhookDelivery]:
    """Return waiting deliveries that no living worker sends, the oldest first. Tests are sent by a
    webhook that is turned off, too.
    """
    now = timezone.now()
    return WebhookDelivery.objects.filter(
        Q(lease_until=None) | Q(lease_until__lte=now),
        Q(webhook__is_on=True) | Q(event=WebhookDelivery.TEST),
        state=State.WAITING,
        due_at__lte=now,
    ).order_by("due_at", "id")


def webhooks_with_last(project: Project) -> QuerySet[Webhook]:
    """Return the webhooks, each with the time and the state of its newest delivery."""
    newest = WebhookDelivery.objects.filter(webhook=OuterRef("pk")).order_by("-id")
    return Webhook.objects.filter(project=project).annotate(
        last_at=Subquery(newest.values("created_at")[:1]),
        last_state=Subquery(newest.values("state")[:1]),
        last_status=Subquery(newest.values("status")[:1]),
    )


def is_moving(webhook: Webhook) -> bool:
    """Return whether a delivery is being sent or is about to be."""
    soon = WebhookDelivery.objects.filter(webhook=webhook, state=State.WAITING)
    return soon.filter(Q(lease_until__gt=timezone.now()) | Q(tries=0)).exists()


def current_secret(webhook: Webhook) -> str:
    return secret_of(settings.SECRET_KEY, webhook.seed)


def signing_secrets(webhook: Webhook) -> list[str]:
    """Return the secret, and for a day after it was changed also the one before."""
    secrets = [current_secret(webhook)]
    if webhook.previous_until and webhook.previous_until > timezone.now():
        secrets.append(secret_of(settings.SECRET_KEY, webhook.previous_seed))
    return secrets
