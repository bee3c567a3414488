"""Working time as people say it."""

from django import template

register = template.Library()


@register.filter
def hours_and_minutes(seconds: int) -> str:
    """Format 3725 s as "1 h 02 min"; less than a minute in seconds, so that it isn't shown as 0."""
    if seconds < 60:
        return f"{seconds} s"
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min"
