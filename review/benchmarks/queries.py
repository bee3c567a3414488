"""Which projects a person may compare as benchmarks."""

from __future__ import annotations

from django.db.models import QuerySet

from annotate.models import Project, User


def administered(user: User) -> QuerySet[Project]:
    """Return the projects whose admin the person is, by name."""
    return Project.objects.filter(
        memberships__user=user, memberships__is_admin=True, memberships__deactivated_at=None
    ).order_by("name", "pk")
