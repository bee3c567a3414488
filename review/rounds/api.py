"""The API of rounds of blind comparisons."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.jobs.api import JobSerializer
from annotate.models.jobs import Job
from review import access
from review.comparisons.models import Round
from review.rounds.access import administered_round, comparison_round
from review.rounds.forms import RoundForm
from review.rounds.services import end_round, start_round


class RoundSerializer(serializers.ModelSerializer[Round]):
    """Without the seed, from which a voter could tell which model is on which side."""

    systems = serializers.SerializerMethodField(help_text="Names of what is compared.")

    class Meta:
        model = Round
        fields = (
            *("id", "kind", "systems", "votes_per_pair", "repeat_percent"),
            *("shared_percent", "names_shown", "next_pair", "created_at", "ended_at"),
        )
        read_only_fields = fields

    def get_systems(self, round: Round) -> list[str]:
        return [system.name for system in round.systems.all()]


class Rounds(ApiView):
    tag = "Comparisons"

    @operation(gives=RoundSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Round]:
        """List rounds of comparisons. For experts, reviewers and admins."""
        project = access.reviewer(asker, slug).project
        return Round.objects.filter(project=project).prefetch_related("systems")

    @operation(gives=JobSerializer, takes=body_of("NewRound", RoundForm), status=202, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Open a round of comparisons. A worker makes its pairs; reviewers then get them."""
        project = access.admin(asker, slug).project
        form = checked_form(RoundForm(project, self.typed()))
        return start_round(project=project, admin=asker.user, **form.asked)


class RoundView(ApiView):
    tag = "Comparisons"

    @operation(gives=RoundSerializer)
    def get(self, asker: UserRequest, slug: str, round_id: int) -> Round:
        """Show a round of comparisons. For experts, reviewers and admins."""
        return comparison_round(asker, slug, round_id)[1]


class EndRound(ApiView):
    tag = "Comparisons"

    @operation(gives=RoundSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, round_id: int) -> Round:
        """End a round of comparisons. Its votes count; open pairs are released."""
        _, round = administered_round(asker, slug, round_id)
        return end_round(round=round, admin=asker.user)


urlpatterns = [
    path("projects/<slug:slug>/rounds/", Rounds.as_view(), name="rounds"),
    path("projects/<slug:slug>/rounds/<int:round_id>/", RoundView.as_view(), name="round"),
    path("projects/<slug:slug>/rounds/<int:round_id>/end/", EndRound.as_view(), name="end_round"),
]
