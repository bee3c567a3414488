"""Shares and probabilities as people read them."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def percent(share: float | None) -> str:
    """Format 0.534 as "53 %"; "" without a share."""
    return "" if share is None else f"{round(100 * share)} %"


@register.filter
def as_percent(share: float) -> str:
    """Format 0.25822 as "25.82", for tables that are in percent."""
    return f"{100 * share:z.2f}"


@register.filter
def p_value(p: float) -> str:
    """Format 0.0412 as "0.041", and less than 0.001 as "< 0.001"."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
