"""Working time as people say it."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.timesince import timesince

register = template.Library()


@register.filter
def hours_and_minutes(seconds: int) -> str:
    """3 725 s -> "1 h 2 min"; under a minute stays in seconds, so that a little is not nothing."""
    if seconds < 60:
        return f"{seconds} s"
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


@register.filter
def ago(moment: datetime) -> str:
    if (timezone.now() - moment).total_seconds() < 60:
        return "just now"
    return f"{timesince(moment, depth=1)} ago"
