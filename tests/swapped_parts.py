"""The parts of a page that its links and forms swap."""

from __future__ import annotations

import re

from django.http import HttpResponse


def check_parts(answer: HttpResponse) -> None:
    """What the links and forms of a whole page swap (`shows_in`, `saves_in`) is on it, once."""
    if answer.streaming or b"<html" not in answer.content:
        return
    for part in set(re.findall(r'hx-target="#([\w-]+)"', answer.text)):
        assert answer.text.count(f'id="{part}"') == 1, part
