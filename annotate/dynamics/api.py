"""The API of long videos about which people disagree: is there enough movement?"""

from __future__ import annotations

from typing import Any

from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import key_field
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.dynamics import decisions
from annotate.dynamics.access import video_to_settle
from annotate.dynamics.forms import ANSWERS, DecisionForm, ThirdPersonForm
from annotate.dynamics.pages import people_to_ask
from annotate.dynamics.queries import current_decision
from annotate.models import DynamicsDecision

TAG = "Videos"


class DynamicsDecisionSerializer(RowSerializer[DynamicsDecision]):
    class Meta:
        model = DynamicsDecision
        fields = ("id", "video", "is_dynamic", "reason", "created_at")


class NewDynamicsDecisionSerializer(serializers.Serializer[Any]):
    answer = serializers.ChoiceField(
        choices=list(ANSWERS), help_text="`undecided` takes the decision back."
    )
    reason = serializers.CharField(max_length=decisions.LONGEST_REASON)


class ThirdPersonSerializer(serializers.Serializer[Any]):
    member = key_field(help_text="Key of the member who judges the video, who hasn’t yet.")


class DecideDynamics(ApiView):
    @operation(gives=DynamicsDecisionSerializer, takes=NewDynamicsDecisionSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, video_id: int) -> DynamicsDecision:
        """Decide whether a video is dynamic. Where people disagree."""
        _, video = video_to_settle(asker, slug, video_id)
        form = checked_form(DecisionForm(self.typed(), decided=current_decision(video)))
        return decisions.decide_dynamics(
            video=video,
            is_dynamic=form.is_dynamic,
            reason=form.cleaned_data["reason"],
            admin=asker.user,
        )


class ThirdPerson(ApiView):
    @operation(takes=ThirdPersonSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, video_id: int) -> None:
        """Have a third person judge a video. Where two disagree whether it is dynamic."""
        membership, video = video_to_settle(asker, slug, video_id)
        people = people_to_ask(membership, video)
        member = membership.project.memberships.filter(pk=self.values["member"]).first()
        chosen = {"person": member.user_id if member else 0}
        person = checked_form(ThirdPersonForm(chosen, people=people)).chosen
        decisions.ask_third_person(video=video, person=person, admin=asker.user)


VIDEO = "projects/<slug:slug>/videos/<int:video_id>/"
urlpatterns = [
    path(f"{VIDEO}decide-dynamics/", DecideDynamics.as_view(), name="decide_dynamics"),
    path(f"{VIDEO}third-person/", ThirdPerson.as_view(), name="third_person"),
]
