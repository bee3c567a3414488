"""The menus above a list: its saved views, and its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from annotate.access import UserRequest
from annotate.lists.columns import PARAMETER, Column, read_columns
from annotate.lists.forms import ViewForm, first_error
from annotate.lists.queries import views_of
from annotate.models import Membership, SavedView


@dataclass(frozen=True)
class ListPage:
    """`part`: the id of the element that a choice of columns changes; `key`: what its address has
    after the project."""

    name: str
    part: str
    key: str = ""


# The page of each list with views or columns.
PAGES = {
    "clips": ListPage("annotate:corpus", "clips"),
    "verifications": ListPage("review:verifications", "verifications"),
    "label-pairs": ListPage("review:label_pairs", "pairs"),
    "runs": ListPage("inference:runs", "run-list"),
    "people": ListPage("review:people", "people-page"),
    "jobs": ListPage("annotate:jobs", "job-list"),
    "audit-log": ListPage("review:audit_log", "audit-page"),
    "caption-sets": ListPage("review:report_page", "caption-set-list", "caption-sets"),
}


def address_of(slug: str, list_name: str) -> str:
    page = PAGES[list_name]
    return reverse(page.name, args=[slug, *filter(None, (page.key,))])


def list_menu(
    membership: Membership,
    list_name: str,
    request: UserRequest,
    *,
    columns: Sequence[Column] = (),
    filters: str | None = None,
) -> dict[str, Any]:
    """Return the context of `view_menu.html`, and `list_query`, the parameters that the list's
    links keep.

    `filters` is the query string without columns and page, by default that of the request. A view
    consists of filters and columns.
    """
    slug = membership.project.slug
    kept = _kept(request.GET) if filters is None else filters
    chosen = read_columns(columns, list_name, request.GET, request.COOKIES)
    columns_in_address = request.GET.get(PARAMETER, "") if columns else ""
    has_views = list_name in SavedView.ListName.values
    views = views_of(membership, list_name) if has_views else []
    view_query = _joined(kept, chosen.query if columns else "")
    same = {view_query, _joined(kept, columns_in_address)} - {""}
    return {
        "address": address_of(slug, list_name),
        "list_query": _joined(kept, columns_in_address),
        "named_columns": columns_in_address,
        "columns_chosen": chosen if columns else None,
        "columns_url": reverse("annotate:columns", args=[slug, list_name]) if columns else "",
        "columns_part": PAGES[list_name].part,
        "has_views": has_views,
        "views": views,
        "view_query": view_query,
        "current_view": next((view for view in views if view.query in same), None),
        "save_url": reverse("annotate:save_view", args=[slug, list_name]) if has_views else "",
    }


def refused_menu(
    membership: Membership, list_name: str, query: str, form: ViewForm
) -> dict[str, Any]:
    """Return what `view_refused.html` needs: the menu of saved views with the refused `form`."""
    slug = membership.project.slug
    views = views_of(membership, list_name)
    return {
        "membership": membership,
        "project": membership.project,
        "address": address_of(slug, list_name),
        "list_label": SavedView.ListName(list_name).label,
        "has_views": True,
        "views": views,
        "view_query": query,
        "current_view": next((view for view in views if view.query == query), None),
        "save_url": reverse("annotate:save_view", args=[slug, list_name]),
        "view_form": form,
        "view_error": first_error(form),
    }


def default_address(membership: Membership, list_name: SavedView.ListName, asked: QueryDict) -> str:
    """Return the address of the person's default view where the list was opened without a choice;
    empty if they have none."""
    if asked:
        return ""
    project = membership.project
    own = SavedView.objects.filter(
        project=project, owner=membership.user, list_name=list_name, is_default=True
    ).first()
    return f"{address_of(project.slug, list_name)}?{own.query or 'page=1'}" if own else ""


def _kept(asked: QueryDict) -> str:
    """Return the filters of an address: its parameters without page and columns."""
    pairs = [(name, value) for name, values in asked.lists() for value in values]
    return urlencode([(n, v) for n, v in pairs if v and n not in ("page", PARAMETER)])


def _joined(filters: str, columns: str) -> str:
    return "&".join(filter(None, (filters, columns and urlencode({PARAMETER: columns}))))
