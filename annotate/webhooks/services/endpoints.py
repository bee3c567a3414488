"""Admins' actions on webhooks."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.db import transaction
from django.urls import reverse

from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.models import Notice, Project, User, Webhook, WebhookDelivery
from annotate.notices.services import admins_of, notify
from annotate.webhooks.queries import current_secret
from annotate.webhooks.services.announcing import add_delivery

MAX_WEBHOOKS = 10
TURNED_OFF = "The webhook was turned off before this was delivered."


@transaction.atomic
def add_webhook(
    *, project: Project, admin: User, address: str, events: Sequence[str], site: str
) -> tuple[Webhook, str]:
    """Add a webhook. Its secret is returned for the one time that it is shown."""
    Project.objects.lock(project.pk)
    if project.webhooks.count() >= MAX_WEBHOOKS:
        raise AnnotateError(f"The project has {MAX_WEBHOOKS} webhooks. Delete one first.")
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
    """Turn the webhook off. Waiting deliveries count as not delivered. Notify the admins unless an
    admin did it.
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
            address=reverse("annotate:webhooks", args=[locked.project.slug]),
        )
    return locked


@transaction.atomic
def delete_webhook(*, webhook: Webhook, admin: User) -> None:
    """Delete the webhook with its messages."""
    locked = _locked(webhook)
    _record("delete webhook", locked, admin, _facts(locked))
    locked.delete()


@transaction.atomic
def send_test(*, webhook: Webhook) -> WebhookDelivery:
    """Send a message of the type `test`, also to a webhook that is turned off. It is tried once,
    and its failure counts for nothing.
    """
    return add_delivery(webhook, WebhookDelivery.TEST, {"project": webhook.project.slug})


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
