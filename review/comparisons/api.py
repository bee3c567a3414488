"""The API of rounds of blind comparisons, and of a person's own votes."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, WORK, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.jobs.api import JobSerializer
from annotate.models.jobs import Job
from review import access
from review.comparisons.access import administered_round, comparison_round, own_vote
from review.comparisons.content import Choice, written
from review.comparisons.forms import RoundForm
from review.comparisons.models import Comparison, ComparisonRound
from review.comparisons.rounds import end_round, start_round
from review.comparisons.services import change_vote, show_names


class RoundSerializer(serializers.ModelSerializer[ComparisonRound]):
    """Without the seed, from which a voter could tell which model is on which side."""

    systems = serializers.SerializerMethodField(help_text="Names of what is compared.")

    class Meta:
        model = ComparisonRound
        fields = (
            *("id", "kind", "systems", "votes_per_pair", "repeat_percent"),
            *("shared_percent", "names_shown", "next_pair", "created_at", "ended_at"),
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

    @operation(gives=JobSerializer, takes=body_of("NewRound", RoundForm), status=202, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Open a round of comparisons. A worker makes its pairs; reviewers then get them."""
        project = access.admin(asker, slug).project
        form = checked_form(RoundForm(project, self.typed()))
        return start_round(project=project, admin=asker.user, **form.asked)


class RoundView(ApiView):
    tag = "Comparisons"

    @operation(gives=RoundSerializer)
    def get(self, asker: UserRequest, slug: str, round_id: int) -> ComparisonRound:
        """Show a round of comparisons. For experts, reviewers and admins."""
        return comparison_round(asker, slug, round_id)[1]


class EndRound(ApiView):
    tag = "Comparisons"

    @operation(gives=RoundSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, round_id: int) -> ComparisonRound:
        """End a round of comparisons. Its votes count; open pairs are released."""
        _, round = administered_round(asker, slug, round_id)
        return end_round(round=round, admin=asker.user)


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
    path("projects/<slug:slug>/rounds/", Rounds.as_view(), name="rounds"),
    path("projects/<slug:slug>/rounds/<int:round_id>/", RoundView.as_view(), name="round"),
    path("projects/<slug:slug>/rounds/<int:round_id>/end/", EndRound.as_view(), name="end_round"),
    path("projects/<slug:slug>/votes/", Votes.as_view(), name="votes"),
    path("projects/<slug:slug>/votes/<int:matchup_id>/", VoteView.as_view(), name="vote"),
    path(
        "projects/<slug:slug>/votes/<int:matchup_id>/names/", VoteNames.as_view(), name="vote_names"
    ),
]
