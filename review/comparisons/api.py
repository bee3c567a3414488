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
from review.comparisons.models import Comparison
from review.comparisons.services import change_vote, show_names


class VoteSerializer(serializers.ModelSerializer[Comparison]):
    """One's own vote. It doesn't say which model was on which side."""

    clip = serializers.IntegerField(source="matchup.clip_id")
    round = serializers.IntegerField(source="matchup.round_id")
    reasons = serializers.ListField(child=serializers.ChoiceField(Comparison.Reason.choices))

    class Meta:
        model = Comparison
        fields = ("id", "matchup", "round", "clip", "outcome", "reasons", "remark", "created_at")
        read_only_fields = fields


class ChangedVoteSerializer(serializers.ModelSerializer[Comparison]):
    reasons = serializers.ListField(
        child=serializers.ChoiceField(Comparison.Reason.choices), default=list
    )

    class Meta:
        model = Comparison
        fields = ("outcome", "reasons", "remark")


class NamesSerializer(serializers.Serializer[Any]):
    left = serializers.CharField()
    right = serializers.CharField()


class Votes(ApiView):
    tag = "Comparisons"

    @operation(gives=VoteSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Comparison]:
        """List own votes. To vote, take work of the kind `compare`."""
        membership = access.voter(asker, slug)
        own = Comparison.of_any_purpose.in_force().filter(
            matchup__reviewer=asker.user, matchup__round__project=membership.project
        )
        return own.select_related("matchup")


class VoteView(ApiView):
    tag = "Comparisons"

    @operation(gives=VoteSerializer, takes=ChangedVoteSerializer, scope=WORK)
    def put(self, asker: UserRequest, slug: str, matchup_id: int) -> Comparison:
        """Change an own vote. Only while nothing that is published counts it."""
        _, matchup = own_vote(asker, slug, matchup_id)
        choice = Choice(
            self.values["outcome"], tuple(self.values["reasons"]), self.values.get("remark", "")
        )
        return change_vote(matchup=matchup, reviewer=asker.user, content=written(choice))


class VoteNames(ApiView):
    tag = "Comparisons"

    @operation(gives=NamesSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, matchup_id: int) -> dict[str, str]:
        """Show the names of the models of an own vote. From then on it can’t be changed."""
        _, matchup = own_vote(asker, slug, matchup_id)
        left, right = show_names(matchup=matchup, reviewer=asker.user)
        return {"left": left, "right": right}


urlpatterns = [
    path("projects/<slug:slug>/votes/", Votes.as_view(), name="votes"),
    path("projects/<slug:slug>/votes/<int:matchup_id>/", VoteView.as_view(), name="vote"),
    path(
        "projects/<slug:slug>/votes/<int:matchup_id>/names/", VoteNames.as_view(), name="vote_names"
    ),
]
