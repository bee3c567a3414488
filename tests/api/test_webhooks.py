"""Webhooks by the API, and the example of docs/api.md that checks a signature."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from annotate.models import Webhook
from annotate.webhooks.services.sending import send_due
from tests.api.asking import problem, program_of
from tests.site import LOOPBACK, sends, serving

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
CHECK = """
import sys
headers = dict(line.split(": ", 1) for line in sys.argv[1].splitlines())
print(is_genuine(sys.stdin.buffer.read(), headers, sys.argv[2]))
"""


@pytest.fixture
def program(ada, project):
    return program_of(ada, project)


def test_an_admin_adds_changes_and_deletes_a_webhook(program):
    fields = {"address": "https://hooks.example.org", "events": ["job.finished"]}
    made = program.ask("post", "webhooks/", fields)
    assert made.status_code == 201
    secret = made.json().pop("secret")
    [row] = program.rows("webhooks/")
    assert "secret" not in row
    place = f"webhooks/{row['id']}/"
    changed = program.ask("patch", place, {"events": ["release.built"], "is_on": False})
    assert changed.json() == row | {"events": ["release.built"], "is_on": False}
    assert program.ask("patch", place, {"is_on": True}).json()["is_on"] is True
    rotated = program.ask("post", f"{place}rotate/").json()["secret"]
    assert rotated.startswith("whsec_")
    assert rotated != secret
    assert program.ask("delete", place).status_code == 204
    assert problem(program.get(place)) == (404, "not-found")


def test_an_address_that_may_not_be_opened_is_refused(program):
    for address in ("http://hooks.example.org/", "https://169.254.169.254/"):
        fields = {"address": address, "events": ["job.finished"]}
        answer = program.ask("post", "webhooks/", fields)
        assert problem(answer) == (422, "invalid")
        assert answer.json()["errors"][0]["field"] == "address"
    assert not Webhook.objects.exists()


def test_the_example_tells_genuine_messages_from_others(program, settings):
    settings.VERICAP_OUTGOING_ALLOWED = LOOPBACK
    with serving() as site:
        site.answers["/hook"] = sends(b"")
        fields = {"address": f"{site.url}/hook", "events": ["job.finished"]}
        made = program.ask("post", "webhooks/", fields).json()
        test = program.ask("post", f"webhooks/{made['id']}/test/")
        assert test.status_code == 201
        send_due(webhook_id=made["id"])
        [received] = site.received
    [delivery] = program.rows(f"webhooks/{made['id']}/deliveries/")
    assert (delivery["state"], delivery["status"]) == ("done", 200)
    assert delivery["body"].encode() == received.body
    again = program.ask("post", f"webhooks/{made['id']}/deliveries/{delivery['id']}/")
    assert again.json()["state"] == "waiting"

    [example] = [
        text
        for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
        if "def is_genuine" in text
    ]

    def check(body, secret, **changed):
        headers = {name.title(): value for name, value in received.headers.items()} | changed
        lines = "\n".join(f"{name}: {value}" for name, value in headers.items())
        ran = subprocess.run(
            [sys.executable, "-I", "-c", example + CHECK, lines, secret],
            input=body,
            capture_output=True,
            check=False,
        )
        assert ran.stderr == b""
        return ran.stdout.decode().strip()

    assert check(received.body, made["secret"]) == "True"
    assert check(received.body + b" ", made["secret"]) == "False"
    assert check(received.body, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") == "False"
    assert check(received.body, made["secret"], **{"Webhook-Timestamp": "1614265330"}) == "False"
