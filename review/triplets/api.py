"""The API of sets of triplets."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import BY_KEY, ApiView, operation
from annotate.api.paging import Filters, Orders
from annotate.models import Video
from review import access
from review.triplets.access import triplet_set
from review.triplets.models import ComposedQuery, TripletSet

BY_NUMBER: Orders = {"number": ("number",)}


class TripletSetSerializer(serializers.ModelSerializer[TripletSet]):
    class Meta:
        model = TripletSet
        fields = (
            *("number", "state", "reason", "seed", "most_targets", "other_sources"),
            *("test_queries", "triplet_count", "created_at", "finished_at"),
        )
        read_only_fields = fields


class ComposedQuerySerializer(serializers.ModelSerializer[ComposedQuery]):
    """A query clip with a modification, and the clips that are its targets, the primary first."""

    modification = serializers.CharField(source="modification.text")
    targets = serializers.SerializerMethodField()

    class Meta:
        model = ComposedQuery
        fields = ("id", "split", "clip", "modification", "targets")

    def get_targets(self, query: ComposedQuery) -> list[int]:
        return [triplet.target_id for triplet in query.targets.all()]


class QueryFilters(Filters):
    split = serializers.ChoiceField(choices=Video.Split.choices, required=False)


class TripletSets(ApiView):
    tag = "Triplets"

    @operation(gives=TripletSetSerializer, query=Filters, orders=BY_NUMBER)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[TripletSet]:
        """List sets of triplets. For experts, reviewers and admins."""
        return TripletSet.objects.filter(project=access.reviewer(asker, slug).project)


class TripletSetView(ApiView):
    tag = "Triplets"

    @operation(gives=TripletSetSerializer)
    def get(self, asker: UserRequest, slug: str, number: int) -> TripletSet:
        """Show a set of triplets. For experts, reviewers and admins."""
        return triplet_set(asker, slug, number)[1]


class Queries(ApiView):
    tag = "Triplets"

    @operation(gives=ComposedQuerySerializer, query=QueryFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str, number: int) -> QuerySet[ComposedQuery]:
        """List queries of a set. Each with its targets. For experts, reviewers and admins."""
        triplets = triplet_set(asker, slug, number)[1]
        chosen: dict[str, Any] = {"split": self.query["split"]} if "split" in self.query else {}
        queries = triplets.queries.filter(**chosen).select_related("modification")
        return queries.prefetch_related("targets")


urlpatterns = [
    path("projects/<slug:slug>/triplets/", TripletSets.as_view(), name="triplet_sets"),
    path(
        "projects/<slug:slug>/triplets/<int:number>/", TripletSetView.as_view(), name="triplet_set"
    ),
    path("projects/<slug:slug>/triplets/<int:number>/queries/", Queries.as_view(), name="queries"),
]
