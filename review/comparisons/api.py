"""The API of rounds of blind comparisons, and of a person's own votes."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import BY_KEY, WORK, ApiView, operation
from annotate.api.paging import Filters
from review import access
from review.comparisons.access import comparison_round, own_vote
from review.comparisons.content import Choice, written
from review.comparisons.models import Comparison, ComparisonRound
from review.comparisons.services import change_vote


class RoundSerializer(serializers.ModelSerializer[ComparisonRound]):
    """Without the seed, from which a voter could tell which model is on which side."""

    systems = serializers.SerializerMethodField(help_text="Names of what is compared.")

    class Meta:
        model = ComparisonRound
        fields = (
            *("id", "kind", "systems", "votes_per_pair", "repeat_percent"),
            *("shared_percent", "names_shown", "created_at", "ended_at"),
        )
        read_only_fields = fields

    def get_systems(self, round: ComparisonRound) -> list[str]:
        return [entrant.name for entrant in round.entrants.all()]


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


class Rounds(ApiView):
    tag = "Comparisons"

    @operation(gives=RoundSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[ComparisonRound]:
        """List rounds of comparisons. For experts, reviewers and admins."""
        project = access.reviewer(asker, slug).project
        return ComparisonRound.objects.filter(project=project).prefetch_related("entrants")


class RoundView(ApiView):
    tag = "Comparisons"

    @operation(gives=RoundSerializer)
    def get(self, asker: UserRequest, slug: str, round_id: int) -> ComparisonRound:
        """Show a round of comparisons. For experts, reviewers and admins."""
        return comparison_round(asker, slug, round_id)[1]


class Votes(ApiView):
    tag = "Comparisons"

    @operation(gives=VoteSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Comparison]:
        """List own votes. To vote, take work of the kind `compare`."""
        membership = access.voter(asker, slug)
        own = Comparison.objects.in_force().filter(
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


urlpatterns = [
    path("projects/<slug:slug>/rounds/", Rounds.as_view(), name="rounds"),
    path("projects/<slug:slug>/rounds/<int:round_id>/", RoundView.as_view(), name="round"),
    path("projects/<slug:slug>/votes/", Votes.as_view(), name="votes"),
    path("projects/<slug:slug>/votes/<int:matchup_id>/", VoteView.as_view(), name="vote"),
]
