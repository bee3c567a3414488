"""Access to label pairs, modifications and triplet sets."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin, reviewer
from review.triplets.models import TripletSet


def triplet_set(request: UserRequest, slug: str, number: int) -> tuple[Membership, TripletSet]:
    return _triplet_set(reviewer(request, slug), number)


def administered_set(request: UserRequest, slug: str, number: int) -> tuple[Membership, TripletSet]:
    """Return a set for a person who may assign its queries."""
    return _triplet_set(admin(request, slug), number)


def _triplet_set(membership: Membership, number: int) -> tuple[Membership, TripletSet]:
    sets = TripletSet.objects.select_related("created_by")
    found = get_object_or_404(sets, project=membership.project, number=number)
    found.project = membership.project
    return membership, found
