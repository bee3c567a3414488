"""Amounts of money on pages."""

from __future__ import annotations

from django import template

from annotate.templatetags.components import minus
from review.pay.money import in_words

register = template.Library()


@register.filter
def money(units: int, currency: str) -> str:
    """Return minor units as an amount with its currency."""
    return minus(in_words(units, currency))
