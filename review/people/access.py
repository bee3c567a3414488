"""Access to the numbers of people: an admin to everybody's, each person to their own."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest, member
from annotate.models import Membership
from review.access import admin


def person(request: UserRequest, slug: str, membership_id: int) -> tuple[Membership, Membership]:
    """Return the admin's membership, and that of a person of the project."""
    membership = admin(request, slug)
    members = Membership.with_deactivated.select_related("user", "project")
    return membership, get_object_or_404(members, pk=membership_id, project=membership.project)


def own(request: UserRequest, slug: str) -> Membership:
    return member(request, slug)
