"""The parts of a page that its links and forms swap."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpResponse
from django.test import Client


def check_parts(answer: HttpResponse) -> None:
    """What the links and forms of a whole page swap (`shows_in`, `saves_in`) is on it, once."""
    if answer.streaming or b"<html" not in answer.content:
        return
    for part in set(re.findall(r'hx-target="#([\w-]+)"', answer.text)):
        assert answer.text.count(f'id="{part}"') == 1, part


def in_place(page: str) -> dict[str, str]:
    """Return the headers with which htmx sends a form of this page."""
    return {"HX-Request": "true", "HX-Boosted": "true", "HX-Current-URL": page}


def send_in_place(client: Client, page: str, action: str, fields: Any = None) -> HttpResponse:
    """Send the form of the page with this action as htmx does, and return the answer, which has the
    part that the form swaps."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}[#?"][^>]*>', client.get(page).text)
    assert form, action
    part = re.search(r'hx-target="#([\w-]+)"', form[0])
    assert part, form[0]
    answer = client.post(action, fields or {}, follow=True, headers=in_place(page))
    assert answer.text.count(f'id="{part[1]}"') == 1
    return answer
