"""The menu of saved views above a list."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict
from django.urls import reverse

from annotate.lists.queries import views_of
from annotate.models import Membership, SavedView

SAVING = {
    SavedView.ListName.CLIPS: "annotate:save_view",
    SavedView.ListName.VERIFICATIONS: "annotate:save_verifications_view",
    SavedView.ListName.LABEL_PAIRS: "annotate:save_label_pairs_view",
}


def views_menu(
    membership: Membership, list_name: SavedView.ListName, address: str, asked: QueryDict
) -> dict[str, Any]:
    """Return what `view_menu.html` needs for a list without columns to choose. A view has all that
    the address asks for, but for the page."""
    kept = asked.copy()
    kept.pop("page", None)
    query = kept.urlencode()
    views = views_of(membership, list_name)
    return {
        "address": address,
        "views": views,
        "view_query": query,
        "current_view": next((view for view in views if query and view.query == query), None),
        "save_url": reverse(SAVING[list_name], args=[membership.project.slug]),
    }


def default_address(
    membership: Membership, list_name: SavedView.ListName, address: str, asked: QueryDict
) -> str:
    """Return the address of the person's default view where the list was opened without a choice;
    empty if they have none."""
    if asked:
        return ""
    own = SavedView.objects.filter(
        project=membership.project, owner=membership.user, list_name=list_name, is_default=True
    ).first()
    return f"{address}?{own.query or 'page=1'}" if own else ""
