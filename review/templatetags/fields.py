"""Fields of a form whose names are made on the way."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def of_field(messages: Mapping[str, str], field: str) -> str:
    """What is wrong with the field; empty where nothing is."""
    return messages.get(field, "")
