"""Check whether workers respond, only on pages that wait for one."""

from __future__ import annotations

from django import template

from annotate.jobs.workers import Silence, last_beats

register = template.Library()


@register.simple_tag
def silence_in(queue: str) -> Silence | None:
    """Return the silence in `queue`, or None if a worker responds."""
    return last_beats().silence_in(queue)
