"""The sidebar of a project's pages."""

from __future__ import annotations

from django import template
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from annotate.models import Membership
from review.navigation.sidebar import is_docked, sidebar_html

register = template.Library()


@register.simple_tag
def sidebar_links(request: HttpRequest, membership: Membership) -> SafeString:
    """Return the links of the sidebar, rendered and escaped by their template."""
    return mark_safe(sidebar_html(request, membership))


@register.filter
def has_sidebar_docked(request: HttpRequest) -> bool:
    """Return whether the person keeps the sidebar beside the page."""
    return is_docked(request)
