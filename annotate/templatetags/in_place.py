"""Attributes with which a link or a form changes a part of its page instead of the whole page."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

ATTRIBUTES = (
    'hx-boost="true" hx-target="#{0}" hx-select="#{0}" hx-swap="outerHTML show:none"'
    ' hx-select-oob="#toasts:beforeend{2}" hx-sync="#{0}:{1}"'
)


@register.simple_tag
def shows_in(part: str) -> SafeString:
    """Let links and a GET form swap the element with the id `part` and change the address.

    The server answers with the page as always, from which htmx takes that element and the
    messages. A further click replaces a request that is not answered yet.
    """
    return _attributes(part, "replace") if part else SafeString("")


@register.simple_tag
def saves_in(part: str, *others: str) -> SafeString:
    """Let a POST form swap the element with the id `part`, and ignore a second click until then.
    A click while a link or filter loads the element waits for that (`ui/waiting.js`). The
    elements with the ids `others`, outside it, are swapped as well.

    The view redirects to the page, or to another page, which is then loaded (`OpenPage`), or
    answers 422 with the page that marks the wrong fields.
    """
    return _attributes(part, "drop", others)


def _attributes(part: str, sync: str, others: tuple[str, ...] = ()) -> SafeString:
    return format_html(ATTRIBUTES, part, sync, "".join(f",#{other}" for other in others))
