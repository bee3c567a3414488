"""How a page shows that a service refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest

from annotate.errors import Refused


@contextmanager
def refusal_shown(request: HttpRequest) -> Iterator[None]:
    """Show why a service inside refused, in place of what follows it inside."""
    try:
        yield
    except Refused as error:
        messages.error(request, str(error))
