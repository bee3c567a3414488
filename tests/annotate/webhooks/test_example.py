"""The example of docs/api.md that checks the signature of a message."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from annotate.webhooks.services.endpoints import send_test
from annotate.webhooks.services.sending import send_due

pytestmark = pytest.mark.django_db

PAGE = (Path(__file__).parents[3] / "docs" / "api.md").read_text()
CHECK = """
import sys
headers = dict(line.split(": ", 1) for line in sys.argv[1].splitlines())
print(is_genuine(sys.stdin.buffer.read(), headers, sys.argv[2]))
"""


def test_the_example_tells_genuine_messages_from_others(site, webhook):
    delivery = send_test(webhook=webhook)
    send_due(webhook_id=webhook.pk)
    [received] = site.received
    assert delivery.body.encode() == received.body

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

    assert check(received.body, webhook.secret) == "True"
    assert check(received.body + b" ", webhook.secret) == "False"
    assert check(received.body, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") == "False"
    assert check(received.body, webhook.secret, **{"Webhook-Timestamp": "1614265330"}) == "False"
