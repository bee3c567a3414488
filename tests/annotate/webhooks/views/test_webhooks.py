"""The pages of webhooks."""

from __future__ import annotations

import pytest

from annotate.models import AuditEvent, Webhook, WebhookDelivery
from annotate.webhooks.queries import current_secret
from annotate.webhooks.services.announcing import add_delivery
from annotate.webhooks.services.endpoints import MAX_WEBHOOKS
from annotate.webhooks.services.sending import send_due
from tests.cast import client_of, count_queries
from tests.site import NOTHING, sends

pytestmark = pytest.mark.django_db

PAGE = "/p/dives/settings/webhooks/"


@pytest.fixture
def client(ada):
    return client_of(ada)


@pytest.fixture
def place(webhook):
    return f"{PAGE}{webhook.pk}/"


def add(client, **changed):
    fields = {"address": "https://hooks.example.org/a", "events": ["job.finished"]} | changed
    return client.post(f"{PAGE}add/", fields)


def test_the_secret_is_shown_once_and_stored_nowhere(client, project):
    assert "No webhooks yet" in client.get(PAGE).text
    answer = add(client)
    secret = answer.context["secret"]
    webhook = Webhook.objects.get()
    assert (webhook.address, webhook.events) == ("https://hooks.example.org/a", ["job.finished"])
    assert (webhook.site, webhook.created_by.name) == ("http://testserver", "Ada")
    assert secret == current_secret(webhook)
    assert f'value="{secret}"' in answer.text
    assert "no-store" in answer.headers["Cache-Control"]
    stored = str([vars(row) for row in (webhook, AuditEvent.objects.get(verb="add webhook"))])
    assert secret not in stored
    assert secret not in client.get(PAGE).text


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"address": "http://hooks.example.org/"}, "must begin with https://"),
        ({"address": "https://127.0.0.1/"}, "not a public host"),
        ({"address": "https://ada:pw@example.org/"}, "Take them out"),
        ({"address": ""}, "This field is required."),
        ({"events": []}, "Choose at least one event."),
        ({"events": ["caption.written"]}, "Select a valid choice."),
    ],
)
def test_wrong_fields_are_marked_and_add_nothing(client, project, changed, error, settings):
    settings.VERICAP_OUTGOING_ALLOWED = NOTHING
    answer = add(client, **changed)
    assert answer.status_code == 422
    assert error in answer.text
    assert not Webhook.objects.exists()


def test_a_project_has_a_limit_of_webhooks(client, project):
    for _ in range(MAX_WEBHOOKS):
        add(client)
    answer = add(client)
    assert answer.status_code == 422
    assert "Delete one first." in answer.text
    assert Webhook.objects.count() == MAX_WEBHOOKS


def test_it_is_changed_and_turned_off_and_on(client, webhook, place):
    fields = {"address": "https://b.example.org", "events": ["release.built"]}
    assert client.post(f"{place}change/", fields).status_code == 302
    webhook.refresh_from_db()
    assert (webhook.address, webhook.events) == ("https://b.example.org/", ["release.built"])
    answer = client.post(f"{place}change/", {"address": "ftp://x", "events": ["release.built"]})
    assert (answer.status_code, "ftp://x" in answer.text) == (422, True)
    client.post(f"{place}off/")
    assert "Turn on" in client.get(PAGE).text
    client.post(f"{place}on/")
    webhook.refresh_from_db()
    assert webhook.is_on


def test_deleting_takes_its_messages_along(client, webhook, place):
    add_delivery(webhook, "job.finished", {})
    assert client.post(f"{place}delete/").headers["Location"] == PAGE
    assert not Webhook.objects.exists()
    assert not WebhookDelivery.objects.exists()


def test_a_test_is_sent_and_its_problem_shown(client, site, webhook, place):
    site.answers["/hook"] = sends(b"", status=418)
    client.post(f"{place}test/")
    waiting = client.get(PAGE).text
    assert "being sent." in waiting
    assert f'hx-select="#webhook-state-{webhook.pk}"' in waiting
    send_due(webhook_id=webhook.pk)
    listed = client.get(PAGE).text
    assert "It answered 418 instead of 2xx." in listed
    assert 'hx-select="#webhook-state' not in listed


def test_why_it_was_turned_off_is_in_the_list(client, webhook):
    Webhook.objects.update(is_on=False, off_because="It answered 410, so nothing more is sent.")
    text = client.get(PAGE).text
    assert "Vericap turned this webhook off. It answered 410" in text
    assert "Turned off after failures" in text


def test_the_list_costs_the_same_for_one_row_and_three(client, webhook):
    def count():
        with count_queries() as queries:
            client.get(PAGE)
        return int(queries)

    add_delivery(webhook, "job.finished", {})
    before = count()
    for _ in range(2):
        add_delivery(webhook, "job.finished", {})
        add(client)
    assert count() == before
