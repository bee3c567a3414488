"""Access to label pairs, modifications and triplet sets."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from annotate.access import UserRequest
from annotate.models import Membership
from review.access import admin, reviewer
from review.triplets.models import ComposedQuery, TripletSet


def triplet_set(request: UserRequest, slug: str, number: int) -> tuple[Membership, TripletSet]:
    return _triplet_set(reviewer(request, slug), number)


def administered_set(request: UserRequest, slug: str, number: int) -> tuple[Membership, TripletSet]:
    """Return a set for a person who may assign its queries."""
    return _triplet_set(admin(request, slug), number)


def composed_query(
    request: UserRequest, slug: str, number: int, query_id: int
) -> tuple[Membership, ComposedQuery]:
    membership, triplets = triplet_set(request, slug, number)
    queries = ComposedQuery.objects.select_related("modification__source", "modification__target")
    return membership, get_object_or_404(queries, triplets=triplets, pk=query_id)


def _triplet_set(membership: Membership, number: int) -> tuple[Membership, TripletSet]:
    sets = TripletSet.objects.select_related("created_by")
    triplet_set = get_object_or_404(sets, project=membership.project, number=number)
    triplet_set.project = membership.project
    return membership, triplet_set
