"""The API of rounds of blind comparisons, and of a person's own votes."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import BY_KEY, WORK, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.rows import RowSerializer
from review import access
from review.comparisons.access import comparison_round, own_vote
from review.comparisons.content import Choice, written
from review.comparisons.models import Round, Vote
from review.comparisons.services import change_vote

TAG = "Comparisons"


class RoundSerializer(RowSerializer[Round]):
    """Without the seed, from which a voter could compute which model is on which side."""

    systems = serializers.SerializerMethodField(help_text="Names of what is compared.")

    class Meta:
        model = Round
        fields = (
            *("id", "kind", "systems", "votes_per_pair", "repeat_percent"),
            *("shared_percent", "names_shown", "created_at", "ended_at"),
        )

    def get_systems(self, round: Round) -> list[str]:
        return [system.name for system in round.systems.all()]


class Rounds(ApiView):
    @operation(gives=RoundSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Round]:
        """List rounds of comparisons. For experts, reviewers and admins."""
        project = access.reviewer(asker, slug).project
        return Round.objects.filter(project=project).prefetch_related("systems")


class RoundView(ApiView):
    @operation(gives=RoundSerializer)
    def get(self, asker: UserRequest, slug: str, round_id: int) -> Round:
        """Show a round of comparisons. For experts, reviewers and admins."""
        return comparison_round(asker, slug, round_id)[1]


class VoteSerializer(RowSerializer[Vote]):
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


class ChangedVoteSerializer(serializers.ModelSerializer[Vote]):
    reasons = serializers.ListField(
        child=serializers.ChoiceField(Vote.Reason.choices), default=list
    )

    class Meta:
        model = Vote
        fields = ("outcome", "reasons", "remark")


class Votes(ApiView):
    @operation(gives=VoteSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Vote]:
        """List your votes. To vote, take work of the kind `compare`."""
        membership = access.voter(asker, slug)
        own = Vote.with_known_answers.current().filter(
            caption_pair__reviewer=asker.user, caption_pair__round__project=membership.project
        )
        return own.select_related("caption_pair")


class VoteView(ApiView):
    @operation(gives=VoteSerializer, takes=ChangedVoteSerializer, scope=WORK)
    def put(self, asker: UserRequest, slug: str, caption_pair_id: int) -> Vote:
        """Change your vote. Only until the leaderboard or the agreement counts it."""
        _, caption_pair = own_vote(asker, slug, caption_pair_id)
        choice = Choice(
            self.values["outcome"], tuple(self.values["reasons"]), self.values.get("remark", "")
        )
        return change_vote(caption_pair=caption_pair, reviewer=asker.user, content=written(choice))


urlpatterns = [
    path("projects/<slug:slug>/rounds/", Rounds.as_view(), name="rounds"),
    path("projects/<slug:slug>/rounds/<int:round_id>/", RoundView.as_view(), name="round"),
    path("projects/<slug:slug>/votes/", Votes.as_view(), name="votes"),
    path("projects/<slug:slug>/votes/<int:caption_pair_id>/", VoteView.as_view(), name="vote"),
]
