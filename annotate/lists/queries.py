"""The saved views of a list."""

from __future__ import annotations

from django.db.models import Q

from annotate.models import Membership, SavedView


def views_of(membership: Membership, list_name: str) -> list[SavedView]:
    """Return the member's own views and those that others share, with their owners."""
    views = SavedView.objects.filter(
        Q(owner=membership.user_id) | Q(is_shared=True),
        project=membership.project_id,
        list_name=list_name,
    )
    return list(views.select_related("owner"))


def opens_with_a_view(membership: Membership, list_name: str) -> bool:
    """Return whether the person has a default view of the list."""
    return SavedView.objects.filter(
        project=membership.project, owner=membership.user, list_name=list_name, is_default=True
    ).exists()
