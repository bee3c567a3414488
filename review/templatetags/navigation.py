"""The sidebar of a project's pages."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.template import Context
from django.utils.safestring import SafeString, mark_safe

from annotate.models import Membership
from review.navigation.sidebar import is_docked, sidebar_html

register = template.Library()


@register.simple_tag
def sidebar_links(request: HttpRequest, membership: Membership) -> SafeString:
    """Return the links of the sidebar, rendered and escaped by their template."""
    return mark_safe(sidebar_html(request, membership))


@register.simple_tag(takes_context=True)
def frame_class(context: Context) -> str:
    """Return "docked" if the page has a sidebar and the person keeps it beside the page."""
    has_sidebar = context.get("project") and context.get("membership")
    return "docked" if has_sidebar and is_docked(context["request"]) else ""
