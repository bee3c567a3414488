"""A person's waiting work in another feature than the page's own."""

from __future__ import annotations

from django import template

from annotate.kinds import kind_facts
from annotate.models import Membership
from review.comparisons.pairing import running_round
from review.corrections.queries import count_to_decide

register = template.Library()


@register.simple_tag
def corrections_waiting(membership: Membership) -> int:
    """Return how many captions with proposed corrections this person can decide about."""
    return count_to_decide(membership)


@register.simple_tag
def votes_in_round(membership: Membership) -> bool:
    """Return whether this person may vote in a round that runs now."""
    may = membership.has_role(*kind_facts("compare").roles)
    return may and running_round(membership.project_id) is not None
