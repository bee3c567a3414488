"""What waits for a decision, for the menu of every page."""

from __future__ import annotations

from django import template

from annotate.models import Membership
from review.corrections.queries import count_to_decide

register = template.Library()


@register.simple_tag
def corrections_waiting(membership: Membership) -> int:
    """How many captions with proposed corrections this person can decide about."""
    return count_to_decide(membership)
