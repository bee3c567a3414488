"""The API of how many labels are enough."""

from __future__ import annotations

from typing import Any

from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from review import access
from review.precision.access import judging_of
from review.precision.forms import StoppingRuleForm
from review.precision.queries import judgings_of, series_of
from review.precision.services import choose_stopping_rule
from review.studies.models import StoppingRule

TAG = "Quality"


class StoppingRuleSerializer(RowSerializer[StoppingRule]):
    class Meta:
        model = StoppingRule
        fields = ("width", "action", "created_at", "reached_at", "reached_n")


class JudgingSerializer(serializers.Serializer[Any]):
    of = serializers.CharField(source="key", help_text="Such as study-3, round-1 or spot-check-2.")
    title = serializers.CharField()
    is_open = serializers.BooleanField()
    rule = StoppingRuleSerializer(allow_null=True)


class JudgingsSerializer(serializers.Serializer[Any]):
    judged = JudgingSerializer(many=True)


class StepSerializer(serializers.Serializer[Any]):
    n = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class SeriesSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    method = serializers.CharField(source="course.method")
    steps = StepSerializer(source="course.steps", many=True)


class PrecisionSerializer(serializers.Serializer[Any]):
    series = SeriesSerializer(many=True)


class TypedRule(serializers.Serializer[Any]):
    width = serializers.FloatField(allow_null=True, required=False)
    action = serializers.ChoiceField(choices=StoppingRule.Action.choices)


class Precision(ApiView):
    @operation(gives=JudgingsSerializer)
    def get(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """List what people judge. Studies, rounds and spot checks with their rules. For admins."""
        return {"judged": judgings_of(access.admin(asker, slug).project)}


class PrecisionOf(ApiView):
    @operation(gives=PrecisionSerializer)
    def get(self, asker: UserRequest, slug: str, of: str) -> dict[str, Any]:
        """Show the intervals of a study, a round or a spot check. Over the answers. For admins."""
        return {"series": series_of(judging_of(access.admin(asker, slug), of)) or []}

    @operation(takes=TypedRule, scope=ADMIN)
    def put(self, asker: UserRequest, slug: str, of: str) -> Any:
        """Set the width at which asking ends. Null removes the rule."""
        membership = access.admin(asker, slug)
        judging = judging_of(membership, of)
        chosen = checked_form(StoppingRuleForm(judging, self.typed(of=of))).cleaned_data
        choose_stopping_rule(
            project=membership.project,
            judging=judging,
            width=chosen["width"],
            action=chosen["action"],
            admin=asker.user,
        )


ALL = "projects/<slug:slug>/precision/"
urlpatterns = [
    path(ALL, Precision.as_view(), name="precision"),
    path(f"{ALL}<slug:of>/", PrecisionOf.as_view(), name="precision_of"),
]
