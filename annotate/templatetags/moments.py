"""Times as all pages show them, and how long ago something was."""

from datetime import UTC, datetime

from django import template
from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.timesince import timesince

register = template.Library()


@register.filter
def moment(at: datetime | None) -> str:
    """Return such as "1 Mar 2026, 14:05 UTC", as `momentOf` of static/js/ui/moments.js does."""
    return f"{format_date(at.astimezone(UTC), 'j M Y, H:i')} UTC" if at else ""


@register.filter
def ago(moment: datetime) -> str:
    """Return such as "4 hours ago", in its largest unit."""
    if (timezone.now() - moment).total_seconds() < 60:
        return "just now"
    return f"{timesince(moment, depth=1)} ago"
