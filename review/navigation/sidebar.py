"""The sidebar of a project's pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from django.http import HttpRequest
from django.template.loader import render_to_string

from annotate.models import Membership
from review.corrections.queries import count_to_decide
from review.navigation.project_pages import LABELS, Link, current_link, links_of

COOKIE = "sidebar"  # "docked" or "drawer", then the open groups, each after a dot
DRAWER = "drawer"
FEW_LINKS = 14  # so few that every group is open until it is closed


@dataclass(frozen=True)
class LinkGroup:
    """A group with more than one page has a heading and can be closed."""

    key: str
    label: str
    links: tuple[Link, ...]
    is_open: bool

    @property
    def is_single(self) -> bool:
        return len(self.links) == 1


def is_docked(request: HttpRequest) -> bool:
    """Return whether the person keeps the sidebar beside the page; it is, until they close it."""
    return not request.COOKIES.get(COOKIE, "").startswith(DRAWER)


def sidebar_html(request: HttpRequest, membership: Membership) -> str:
    """Return the sidebar with the current page marked."""
    links = links_of(membership)
    current = current_link(links, request.path)
    proposals = any(link.is_for_proposals for link in links)
    _, dot, keys = request.COOKIES.get(COOKIE, "").partition(".")
    return _html(
        links=links,
        current=current,
        is_exact=current is not None and current.url == request.path,
        opened=frozenset(LABELS.keys() & keys.split(".")) if dot else None,
        waiting=count_to_decide(membership) if proposals else 0,
    )


@lru_cache(maxsize=512)  # one per page, role and project in use
def _html(
    *,
    links: tuple[Link, ...],
    current: Link | None,
    is_exact: bool,
    opened: frozenset[str] | None,
    waiting: int,
) -> str:
    context = {
        "groups": _groups(links, current, opened),
        "current": current,
        "is_exact": is_exact,
        "waiting": waiting,
    }
    return render_to_string("partials/sidebar_links.html", context)


def _groups(
    links: tuple[Link, ...], current: Link | None, opened: frozenset[str] | None
) -> list[LinkGroup]:
    if opened is None:
        opened = frozenset(LABELS if len(links) <= FEW_LINKS else ("work",))
    if current is not None:
        opened |= {current.group}
    return [
        LinkGroup(key, LABELS[key], tuple(of_group), key in opened)
        for key, of_group in groupby(links, key=lambda link: link.group)
    ]
