"""The context of every page's header."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from annotate.models import Project


def nav_projects(request: HttpRequest) -> dict[str, SimpleLazyObject[list[Project]]]:
    """Return the person's projects for the switcher, which are queried only if it is shown."""
    # A request that is refused before sign-in is checked has no user.
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    mine = Project.objects.filter(memberships__user=user, archived_at=None).only(
        "name", "slug", "is_simulated"
    )
    return {"nav_projects": SimpleLazyObject(lambda: list(mine))}
