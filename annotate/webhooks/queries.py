"""Which deliveries are due, the list of webhooks, and the secret of each."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
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
    """Return the webhooks, each with the time, state and problem of its newest message, and whether
    that is being sent or about to be."""
    newest = WebhookDelivery.objects.filter(webhook=OuterRef("pk")).order_by("-id")
    soon = newest.filter(Q(lease_until__gt=timezone.now()) | Q(attempts=0), state=State.WAITING)
    return Webhook.objects.filter(project=project).annotate(
        last_at=Subquery(newest.values("created_at")[:1]),
        last_state=Subquery(newest.values("state")[:1]),
        last_problem=Subquery(newest.values("problem")[:1]),
        is_sending=Exists(soon),
    )


def current_secret(webhook: Webhook) -> str:
    return secret_of(settings.SECRET_KEY, webhook.seed)
