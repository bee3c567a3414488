"""Store an event's messages to webhooks, in the transaction of the event."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.messages import wake_worker
from annotate.models import Project, Webhook, WebhookDelivery
from annotate.webhooks.queries import due_deliveries

QUEUE = "cpu"
KEPT_FOR = timedelta(days=30)
Place = tuple[str, Sequence[object]]


@transaction.atomic
def announce(
    *,
    project: Project,
    event: Webhook.Event,
    ids: Mapping[str, object],
    page: Place,
    resource: Place,
) -> None:
    """Store one delivery for each webhook that wants the event, and wake a worker on commit.

    `page` and `resource` are the name and arguments of an address of the site and of its API. Only
    ids and addresses leave the project: reading the objects needs a person's rights.
    """
    webhooks = Webhook.objects.filter(project=project, is_on=True)
    for webhook in (each for each in webhooks if event in each.events):
        page_name, page_arguments = page
        resource_name, resource_arguments = resource
        data = {
            "project": project.slug,
            **ids,
            "page": webhook.site + reverse(page_name, args=page_arguments),
            "resource": webhook.site + reverse(resource_name, args=resource_arguments),
        }
        add_delivery(webhook, event, data)


def add_delivery(webhook: Webhook, event: str, data: Mapping[str, Any]) -> WebhookDelivery:
    message = {"type": event, "timestamp": timezone.now().isoformat(), "data": data}
    delivery = WebhookDelivery.objects.create(
        webhook=webhook,
        message_id=f"msg_{secrets.token_hex(16)}",
        event=event,
        body=json.dumps(message, separators=(",", ":"), ensure_ascii=False),
    )
    nudge(webhook.pk)
    return delivery


def nudge(webhook_id: int, *, seconds: float = 0) -> None:
    """Wake a worker once the rows are committed. A lost message costs time, not the delivery."""
    wake_worker("annotate.send_webhooks", webhook_id, queue=QUEUE, seconds=seconds)


def requeue_deliveries() -> int:
    """Wake workers for every delivery that is due, and forget old ones. Returns how many are due.

    Safe at any time: workers lock the rows that they send.
    """
    ended = WebhookDelivery.objects.exclude(state=WebhookDelivery.State.WAITING)
    ended.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    due = list(due_deliveries().values_list("webhook_id", flat=True))
    with transaction.atomic():
        for webhook_id in dict.fromkeys(due):
            nudge(webhook_id)
    return len(due)
