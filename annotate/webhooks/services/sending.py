"""Send the due deliveries of one webhook. Runs in a worker.

An attempt takes the row with a lease, sends outside any transaction, and stores the result only if
the row is still its own. So nothing is lost if a worker dies: the lease ends, and another worker
sends the message again with the same id.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotate.models import Webhook, WebhookDelivery
from annotate.outgoing.errors import OutgoingFailed
from annotate.outgoing.requests import Limits, open_address
from annotate.webhooks.queries import current_secret, due_deliveries
from annotate.webhooks.services.announcing import nudge
from annotate.webhooks.services.endpoints import turn_off
from annotate.webhooks.signing import signed_headers

State = WebhookDelivery.State
LIMITS = Limits(seconds=15, max_bytes=2000)
LEASE = timedelta(seconds=60)
TURN_SECONDS = 30.0
# How long to wait after each failed attempt. Longer waits than SOON are left to requeue_jobs.
WAITS = tuple(timedelta(minutes=minutes) for minutes in (0.5, 5, 30, 120, 300, 600))
SOON = timedelta(minutes=1)
MAX_FAILURES = 5
GONE = 410


@dataclass(frozen=True)
class Attempt:
    """The result of one attempt. `status` is None without an answer."""

    status: int | None
    problem: str = ""
    is_transient: bool = True

    @property
    def is_delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def send_due(*, webhook_id: int) -> None:
    """Send the due deliveries one after the other until the turn is over. Safe to repeat, also
    concurrently.
    """
    ends = time.monotonic() + TURN_SECONDS
    while time.monotonic() < ends:
        delivery = _take(webhook_id)
        if delivery is None:
            break
        _store(delivery, _send(delivery))
    _wake_again(webhook_id)


@transaction.atomic
def _take(webhook_id: int) -> WebhookDelivery | None:
    due = due_deliveries().filter(webhook=webhook_id).select_related("webhook")
    delivery = due.select_for_update(skip_locked=True, of=("self",)).first()
    if delivery is None:
        return None
    delivery.attempts += 1
    delivery.lease_until = timezone.now() + LEASE
    delivery.save(update_fields=["attempts", "lease_until"])
    return delivery


def _send(delivery: WebhookDelivery) -> Attempt:
    body = delivery.body.encode()
    signed = signed_headers(
        current_secret(delivery.webhook), delivery.message_id, int(time.time()), body
    )
    try:
        with open_address(
            delivery.webhook.address,
            method="POST",
            headers={"Content-Type": "application/json", **signed},
            content=body,
            limits=LIMITS,
        ) as answer:
            problem = "" if 200 <= answer.status < 300 else _problem_with(answer.status)
            return Attempt(answer.status, problem)
    except OutgoingFailed as error:
        return Attempt(None, str(error), error.is_transient)


def _problem_with(status: int) -> str:
    if 300 <= status < 400:
        return f"It answered {status}, a redirect, which isn't followed. Enter the new address."
    return f"It answered {status} instead of 2xx."


@transaction.atomic
def _store(delivery: WebhookDelivery, attempt: Attempt) -> None:
    """Store the result, and what follows from it: done, another attempt, or given up."""
    webhook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
    own = WebhookDelivery.objects.select_for_update().filter(
        pk=delivery.pk, attempts=delivery.attempts, state=State.WAITING
    )
    row = own.first()
    if webhook is None or row is None:
        return
    now = timezone.now()
    row.status, row.problem = attempt.status, attempt.problem[:300]
    row.attempted_at, row.lease_until = now, None
    is_test = row.event == WebhookDelivery.TEST
    may_follow = attempt.is_transient and not is_test and attempt.status != GONE
    if attempt.is_delivered:
        row.state = State.DONE
    elif may_follow and row.attempts <= len(WAITS):
        row.due_at = now + WAITS[row.attempts - 1]
    else:
        row.state = State.FAILED
    row.save()
    if not is_test:
        _count(webhook, row, attempt)


def _count(webhook: Webhook, row: WebhookDelivery, attempt: Attempt) -> None:
    """Count deliveries that failed for good in a row, and turn the webhook off after too many."""
    failures = webhook.failures
    if row.state == State.DONE:
        failures = 0
    elif row.state == State.FAILED:
        failures += 1
    if failures != webhook.failures:
        webhook.failures = failures
        webhook.save(update_fields=["failures"])
    if not webhook.is_on:
        return
    if attempt.status == GONE:
        turn_off(webhook=webhook, admin=None, reason="It answered 410, so nothing more is sent.")
    elif failures >= MAX_FAILURES:
        turn_off(
            webhook=webhook,
            admin=None,
            reason=f"{failures} deliveries in a row failed. The last: {attempt.problem}"[:300],
        )


def _wake_again(webhook_id: int) -> None:
    """Send the next message if something is due soon."""
    waiting = WebhookDelivery.objects.filter(
        webhook=webhook_id, state=State.WAITING, lease_until=None
    )
    due_at = waiting.order_by("due_at").values_list("due_at", flat=True).first()
    if due_at is not None and due_at <= timezone.now() + SOON:
        nudge(webhook_id, seconds=max(1.0, (due_at - timezone.now()).total_seconds()))
