"""What every page's header needs."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from annotate.models import Project


def nav_projects(request: HttpRequest) -> dict[str, SimpleLazyObject[list[Project]]]:
    """The signed-in person's projects for the switcher; asked for only where it is shown."""
    # The page of a request that was refused before it was known who sent it has no user.
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    mine = Project.objects.filter(memberships__user=user).only("name", "slug", "is_simulated")
    return {"nav_projects": SimpleLazyObject(lambda: list(mine))}
