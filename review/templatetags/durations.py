"""Working time as people say it."""

from django import template

register = template.Library()


@register.filter
def hours_and_minutes(seconds: int) -> str:
    """3 725 s -> "1 h 02 min"; under a minute stays in seconds, so that a little is not nothing."""
    if seconds < 60:
        return f"{seconds} s"
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min"
