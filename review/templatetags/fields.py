"""Fields of a form whose names are made on the way."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def of_field(messages: Mapping[str, str], field: str) -> str:
    """Return the field's error; "" without one."""
    return messages.get(field, "")
