from __future__ import annotations

import pytest

from annotate.models import Webhook
from annotate.webhooks.services.endpoints import add_webhook
from tests.site import LOOPBACK, sends, serving

ALL_EVENTS = [event.value for event in Webhook.Event]


@pytest.fixture(scope="module")
def server():
    with serving() as site:
        yield site


@pytest.fixture
def site(server, settings):
    """A receiver that answers 200 at /hook."""
    settings.VERICAP_OUTGOING_ALLOWED = LOOPBACK
    server.received.clear()
    server.answers.clear()
    server.answers["/hook"] = sends(b"thanks")
    return server


@pytest.fixture
def webhook(site, project, ada):
    webhook, secret = add_webhook(
        project=project,
        admin=ada,
        address=f"{site.url}/hook",
        events=ALL_EVENTS,
        site="https://vericap.example/",
    )
    webhook.secret = secret
    return webhook
