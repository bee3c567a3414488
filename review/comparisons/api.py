"""The API of a person's own votes."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import BY_KEY, WORK, ApiView, operation
from annotate.api.paging import Filters
from review import access
from review.comparisons.access import own_vote
from review.comparisons.content import Choice, written
from review.comparisons.models import Vote
from review.comparisons.services import change_vote, show_names


class VoteSerializer(serializers.ModelSerializer[Vote]):
    """One's own vote. It doesn't say which model was on which side."""

    clip = serializers.IntegerField(source="caption_pair.clip_id")
    round = serializers.IntegerField(source="caption_pair.round_id")
    reasons = serializers.ListField(child=serializers.ChoiceField(Vote.Reason.choices))

    class Meta:
        model = Vote
        fields = (
            "id",
            "caption_pair",
            "round",
            "clip",
            "outcome",
            "reasons",
            "remark",
            "created_at",
        )
        read_only_fields = fields


class ChangedVoteSerializer(serializers.ModelSerializer[Vote]):
    reasons = serializers.ListField(
        child=serializers.ChoiceField(Vote.Reason.choices), default=list
    )

    class Meta:
        model = Vote
        fields = ("outcome", "reasons", "remark")


class NamesSerializer(serializers.Serializer[Any]):
    left = serializers.CharField()
    right = serializers.CharField()


class Votes(ApiView):
    tag = "Comparisons"

    @operation(gives=VoteSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Vote]:
        """List own votes. To vote, take work of the kind `compare`."""
        membership = access.voter(asker, slug)
        own = Vote.of_any_purpose.current().filter(
            caption_pair__reviewer=asker.user, caption_pair__round__project=membership.project
        )
        return own.select_related("caption_pair")


class VoteView(ApiView):
    tag = "Comparisons"

    @operation(gives=VoteSerializer, takes=ChangedVoteSerializer, scope=WORK)
    def put(self, asker: UserRequest, slug: str, caption_pair_id: int) -> Vote:
        """Change an own vote. Only while nothing that is published counts it."""
        _, caption_pair = own_vote(asker, slug, caption_pair_id)
        choice = Choice(
            self.values["outcome"], tuple(self.values["reasons"]), self.values.get("remark", "")
        )
        return change_vote(caption_pair=caption_pair, reviewer=asker.user, content=written(choice))


class VoteNames(ApiView):
    tag = "Comparisons"

    @operation(gives=NamesSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, caption_pair_id: int) -> dict[str, str]:
        """Show the names of the models of an own vote. From then on it can’t be changed."""
        _, caption_pair = own_vote(asker, slug, caption_pair_id)
        left, right = show_names(caption_pair=caption_pair, reviewer=asker.user)
        return {"left": left, "right": right}


urlpatterns = [
    path("projects/<slug:slug>/votes/", Votes.as_view(), name="votes"),
    path("projects/<slug:slug>/votes/<int:caption_pair_id>/", VoteView.as_view(), name="vote"),
    path(
        "projects/<slug:slug>/votes/<int:caption_pair_id>/names/",
        VoteNames.as_view(),
        name="vote_names",
    ),
]
