"""Show a service's refusal on a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest

from annotate.errors import Refused


@contextmanager
def refusal_shown(request: HttpRequest) -> Iterator[None]:
    """Show why a service inside refused, in place of what follows it inside."""
    try:
        yield
    except Refused as error:
        messages.error(request, str(error))


@contextmanager
def refusal_in(form: BaseForm, field: str | None = None) -> Iterator[None]:
    """Add why a service inside refused to the errors of the form, in place of what follows it
    inside. `field`: the field that it is about."""
    try:
        yield
    except Refused as error:
        form.add_error(field, str(error))
