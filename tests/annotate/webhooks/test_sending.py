"""Deliveries: signed, tried again, given up, and lost by no killed worker."""

from __future__ import annotations

import json
import time
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotate.jobs.tasks import requeue_jobs
from annotate.models import AuditEvent, Webhook, WebhookDelivery
from annotate.webhooks.services import sending
from annotate.webhooks.services.announcing import add_delivery, requeue_deliveries
from annotate.webhooks.services.endpoints import (
    TURNED_OFF,
    delete_webhook,
    send_test,
    turn_off,
    turn_on,
)
from annotate.webhooks.services.sending import MAX_FAILURES, WAITS, send_due
from annotate.webhooks.signing import signature
from tests.site import NOTHING, redirects, sends
from tests.worker_messages import collect_messages

pytestmark = pytest.mark.django_db


@pytest.fixture
def delivery(webhook):
    return add_delivery(webhook, "job.finished", {"job": 7})


@pytest.fixture
def send(webhook):
    """A function: what a worker does, after which the delivery is read again."""

    def send_now(delivery):
        send_due(webhook_id=webhook.pk)
        delivery.refresh_from_db()
        webhook.refresh_from_db()
        return delivery

    return send_now


def hurry(delivery):
    WebhookDelivery.objects.filter(pk=delivery.pk).update(due_at=timezone.now())


def give_up(delivery, send):
    for _ in range(len(WAITS) + 1):
        hurry(delivery)
        send(delivery)
    assert delivery.state == "failed"


def test_a_message_is_signed_and_its_answer_stored(site, webhook, delivery, send):
    send(delivery)
    assert (delivery.state, delivery.status) == ("done", 200)
    [received] = site.received
    assert (received.method, received.headers["content-type"]) == ("POST", "application/json")
    assert json.loads(received.body)["data"] == {"job": 7}
    at = int(received.headers["webhook-timestamp"])
    assert abs(at - time.time()) < 300
    assert received.headers["webhook-signature"] == signature(
        webhook.secret, delivery.message_id, at, received.body
    )


def test_a_delivered_message_is_not_sent_again(site, delivery, send):
    send(delivery)
    send(delivery)
    assert len(site.received) == 1


def test_a_failed_attempt_is_repeated_later_with_the_same_id(site, delivery, send):
    site.answers["/hook"] = sends(b"later", status=503)
    send(delivery)
    assert (delivery.state, delivery.attempts, delivery.status) == ("waiting", 1, 503)
    assert delivery.problem == "It answered 503 instead of 2xx."
    assert delivery.due_at > timezone.now()
    send(delivery)
    assert len(site.received) == 1
    site.answers["/hook"] = sends(b"")
    hurry(delivery)
    send(delivery)
    assert (delivery.state, delivery.attempts, delivery.problem) == ("done", 2, "")
    assert len({received.headers["webhook-id"] for received in site.received}) == 1


def test_each_wait_is_longer_until_the_message_is_given_up(site, webhook, delivery, send):
    site.answers["/hook"] = sends(b"", status=500)
    for wait in WAITS:
        hurry(delivery)
        send(delivery)
        assert delivery.state == "waiting"
        assert delivery.due_at - delivery.attempted_at == wait
    hurry(delivery)
    send(delivery)
    assert (delivery.state, webhook.failures, webhook.is_on) == ("failed", 1, True)
    assert sorted(WAITS) == list(WAITS)


def test_a_webhook_is_turned_off_after_failures_in_a_row_and_says_so(webhook, delivery, send):
    Webhook.objects.update(address=f"{webhook.address}/gone", failures=MAX_FAILURES - 1)
    waiting = add_delivery(webhook, "job.finished", {})
    WebhookDelivery.objects.filter(pk=waiting.pk).update(due_at=timezone.now() + timedelta(hours=1))
    give_up(delivery, send)
    assert webhook.is_on is False
    assert webhook.off_because == (
        "5 deliveries in a row failed. The last: It answered 404 instead of 2xx."
    )
    waiting.refresh_from_db()
    assert (waiting.state, waiting.problem) == ("failed", TURNED_OFF)
    [event] = AuditEvent.objects.filter(verb="turn off webhook")
    assert event.actor is None


def test_a_delivery_ends_the_row_of_failures(webhook, delivery, send):
    Webhook.objects.update(failures=MAX_FAILURES - 1)
    send(delivery)
    assert webhook.failures == 0


def test_gone_turns_it_off_at_once(site, webhook, delivery, send):
    site.answers["/hook"] = sends(b"", status=410)
    send(delivery)
    assert (delivery.state, webhook.is_on) == ("failed", False)
    assert webhook.off_because == "It answered 410, so nothing more is sent."


def test_a_redirect_is_not_followed(site, delivery, send):
    site.answers |= {"/hook": redirects("/other"), "/other": sends(b"")}
    send(delivery)
    assert (delivery.status, len(site.received)) == (302, 1)
    assert "redirect" in delivery.problem


def test_an_address_that_the_guard_refuses_fails_without_another_try(delivery, send, settings):
    settings.VERICAP_OUTGOING_ALLOWED = NOTHING
    send(delivery)
    assert (delivery.state, delivery.status, delivery.attempts) == ("failed", None, 1)


def test_no_answer_is_a_problem_in_words(webhook, delivery, send):
    Webhook.objects.update(address="http://127.0.0.1:1/hook")
    send(delivery)
    assert delivery.state == "waiting"
    assert delivery.problem == "127.0.0.1 can't be reached on port 1."


def test_what_a_killed_worker_held_is_sent_by_another(site, delivery, send):
    assert sending._take(delivery.webhook_id) == delivery
    send(delivery)
    assert site.received == []  # the lease holds
    WebhookDelivery.objects.update(lease_until=timezone.now())
    send(delivery)
    assert (delivery.state, delivery.attempts) == ("done", 2)


def test_a_worker_that_was_presumed_dead_stores_nothing(delivery, send):
    late = sending._take(delivery.webhook_id)
    WebhookDelivery.objects.update(lease_until=timezone.now())
    send(delivery)
    sending._store(late, sending.Attempt(500, "late"))
    delivery.refresh_from_db()
    assert (delivery.state, delivery.status) == ("done", 200)


def test_a_webhook_that_is_deleted_meanwhile_is_no_error(webhook, delivery, ada):
    late = sending._take(webhook.pk)
    delete_webhook(webhook=webhook, admin=ada)
    sending._store(late, sending.Attempt(200))
    assert not WebhookDelivery.objects.exists()


@pytest.fixture
def messages(monkeypatch):
    """The messages to workers."""
    return collect_messages(monkeypatch, "annotate.send_webhooks")


def test_requeue_jobs_sends_the_rest(
    webhook, delivery, messages, django_capture_on_commit_callbacks, capsys
):
    add_delivery(webhook, "job.finished", {})
    for requeue in (requeue_deliveries, requeue_jobs, lambda: call_command("requeue_jobs")):
        with django_capture_on_commit_callbacks(execute=True):
            requeue()
    assert [message["args"] for message in messages] == [(webhook.pk,)] * 3
    assert "2 messages to webhooks queued again." in capsys.readouterr().out
    WebhookDelivery.objects.update(due_at=timezone.now() + timedelta(hours=1))
    assert requeue_deliveries() == 0


def test_old_messages_are_forgotten_once_they_have_ended(webhook, delivery, send):
    send(delivery)
    waiting = add_delivery(webhook, "job.finished", {})
    WebhookDelivery.objects.update(created_at=timezone.now() - timedelta(days=31))
    requeue_deliveries()
    assert list(WebhookDelivery.objects.all()) == [waiting]


def test_a_retry_that_is_due_soon_has_its_message(
    site, webhook, delivery, messages, django_capture_on_commit_callbacks
):
    site.answers["/hook"] = sends(b"", status=500)
    with django_capture_on_commit_callbacks(execute=True):
        send_due(webhook_id=webhook.pk)
    assert [message["args"] for message in messages] == [(webhook.pk,)]
    hurry(delivery)
    with django_capture_on_commit_callbacks(execute=True):
        send_due(webhook_id=webhook.pk)
    assert len(messages) == 1  # five minutes are left to requeue_jobs


def test_a_test_is_tried_once_also_when_off_and_counts_for_nothing(site, webhook, ada, send):
    turn_off(webhook=webhook, admin=ada)
    site.answers["/hook"] = sends(b"", status=500)
    test = send(send_test(webhook=webhook))
    assert (test.state, test.attempts, webhook.failures) == ("failed", 1, 0)
    assert json.loads(site.received[0].body)["type"] == "test"


def test_turning_it_off_stops_what_waits_and_on_begins_anew(webhook, delivery, ada, send, site):
    turn_off(webhook=webhook, admin=ada)
    send(delivery)
    assert (delivery.state, site.received) == ("failed", [])
    Webhook.objects.update(failures=3)
    assert turn_on(webhook=webhook, admin=ada).failures == 0
