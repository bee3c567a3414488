"""Admins' actions on webhooks."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.models import Notice, Project, User, Webhook, WebhookDelivery
from annotate.notices.services import admins_of, notify
from annotate.webhooks.queries import current_secret
from annotate.webhooks.services.announcing import add_delivery, nudge

MOST_WEBHOOKS = 10
# Programs that check signatures have this long to switch to the new secret.
OLD_SECRET_SIGNS_FOR = timedelta(days=1)
TURNED_OFF = "The webhook was turned off before this was delivered."


@transaction.atomic
def add_webhook(
    *, project: Project, admin: User, address: str, events: Sequence[str], site: str
) -> tuple[Webhook, str]:
    """Add a webhook. Its secret is returned for the one time that it is shown."""
    Project.objects.lock(project.pk)
    if project.webhooks.count() >= MOST_WEBHOOKS:
        raise AnnotateError(f"The project has {MOST_WEBHOOKS} webhooks. Delete one first.")
    webhook = Webhook.objects.create(
        project=project,
        address=address,
        events=sorted(events),
        site=site.rstrip("/"),
        seed=secrets.token_hex(32),
        created_by=admin,
    )
    record_event(
        actor=admin, verb="add webhook", subject=webhook, project=project, after=_facts(webhook)
    )
    return webhook, current_secret(webhook)


@transaction.atomic
def change_webhook(
    *, webhook: Webhook, admin: User, address: str, events: Sequence[str], site: str
) -> Webhook:
    locked = _locked(webhook)
    before = _facts(locked)
    locked.address, locked.events, locked.site = address, sorted(events), site.rstrip("/")
    locked.save(update_fields=["address", "events", "site"])
    _record("change webhook", locked, admin, before)
    return locked


@transaction.atomic
def turn_on(*, webhook: Webhook, admin: User) -> Webhook:
    locked = _locked(webhook)
    before = _facts(locked)
    locked.is_on, locked.off_because, locked.failures = True, "", 0
    locked.save(update_fields=["is_on", "off_because", "failures"])
    _record("turn on webhook", locked, admin, before)
    return locked


@transaction.atomic
def turn_off(*, webhook: Webhook, admin: User | None, reason: str = "") -> Webhook:
    """Turn the webhook off. Waiting deliveries count as not delivered, and can be sent again by
    hand. Notify the admins unless an admin did it.
    """
    locked = _locked(webhook)
    before = _facts(locked)
    locked.is_on, locked.off_because = False, reason
    locked.save(update_fields=["is_on", "off_because"])
    waiting = locked.deliveries.filter(state=WebhookDelivery.State.WAITING)
    waiting.update(state=WebhookDelivery.State.FAILED, problem=TURNED_OFF, lease_until=None)
    _record("turn off webhook", locked, admin, before)
    if admin is None:
        notify(
            people=admins_of(locked.project),
            project=locked.project,
            kind=Notice.Kind.WEBHOOK_OFF,
            subject=locked,
            text="A webhook was turned off because its messages failed.",
            detail=f"{locked.address}: {reason}",
            address=reverse("annotate:webhook", args=[locked.project.slug, locked.pk]),
        )
    return locked


@transaction.atomic
def rotate_secret(*, webhook: Webhook, admin: User) -> tuple[Webhook, str]:
    """Make a new secret and return it for the one time that it is shown."""
    locked = _locked(webhook)
    locked.previous_seed = locked.seed
    locked.previous_until = timezone.now() + OLD_SECRET_SIGNS_FOR
    locked.seed = secrets.token_hex(32)
    locked.save(update_fields=["seed", "previous_seed", "previous_until"])
    record_event(actor=admin, verb="rotate webhook secret", subject=locked, project=locked.project)
    return locked, current_secret(locked)


@transaction.atomic
def delete_webhook(*, webhook: Webhook, admin: User) -> None:
    """Delete the webhook with its list of deliveries."""
    locked = _locked(webhook)
    _record("delete webhook", locked, admin, _facts(locked))
    locked.delete()


@transaction.atomic
def send_test(*, webhook: Webhook) -> WebhookDelivery:
    """Send a message of the type `test`, also to a webhook that is turned off. It is tried once,
    and its failure counts for nothing.
    """
    return add_delivery(webhook, WebhookDelivery.TEST, {"project": webhook.project.slug})


@transaction.atomic
def redeliver(*, delivery: WebhookDelivery) -> WebhookDelivery:
    """Send an ended delivery again with the same id, so that the receiver can recognize a
    repeat.
    """
    webhook = _locked(delivery.webhook)
    locked = WebhookDelivery.objects.select_for_update().get(pk=delivery.pk)
    if locked.state == WebhookDelivery.State.WAITING:
        raise AnnotateError("This is still being delivered. Wait for its result.")
    if not webhook.is_on and locked.event != WebhookDelivery.TEST:
        raise AnnotateError("The webhook is off. Turn it on first.")
    locked.state, locked.tries, locked.due_at = WebhookDelivery.State.WAITING, 0, timezone.now()
    locked.save(update_fields=["state", "tries", "due_at"])
    nudge(webhook.pk)
    return locked


def _locked(webhook: Webhook) -> Webhook:
    webhooks = Webhook.objects.select_for_update(of=("self",)).select_related("project")
    return webhooks.get(pk=webhook.pk)


def _facts(webhook: Webhook) -> dict[str, object]:
    return {"address": webhook.address, "events": webhook.events, "is_on": webhook.is_on}


def _record(verb: str, webhook: Webhook, admin: User | None, before: dict[str, object]) -> None:
    record_event(
        actor=admin,
        verb=verb,
        subject=webhook,
        project=webhook.project,
        before=before,
        after=_facts(webhook),
    )
