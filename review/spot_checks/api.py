"""The API of spot checks."""

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
from annotate.api.rows import RowSerializer
from review import access
from review.spot_checks import access as check_access
from review.spot_checks.forms import RIGHT, JudgmentForm, SpotCheckForm
from review.spot_checks.models import SpotCheck
from review.spot_checks.queries import people_checked
from review.spot_checks.services import draw_spot_check, end_spot_check, judge_item

TAG = "Quality"


class SpotCheckSerializer(RowSerializer[SpotCheck]):
    class Meta:
        model = SpotCheck
        fields = ("id", "kind", "per_person", "seed", "created_at", "ended_at")


class PersonCheckedSerializer(serializers.Serializer[Any]):
    person = serializers.IntegerField(source="person_id")
    drawn = serializers.IntegerField()
    judged = serializers.IntegerField()
    right = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    earns_bonus = serializers.BooleanField(allow_null=True)


class SpotCheckResultSerializer(serializers.Serializer[Any]):
    people = PersonCheckedSerializer(many=True)


class SpotChecks(ApiView):
    @operation(gives=SpotCheckSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[SpotCheck]:
        """List spot checks. For experts, reviewers and admins."""
        return SpotCheck.objects.filter(project=access.reviewer(asker, slug).project)

    @operation(
        gives=SpotCheckSerializer,
        takes=body_of("NewSpotCheck", SpotCheckForm),
        status=201,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str) -> SpotCheck:
        """Draw a spot check. Of finished work, at random, some of each person."""
        project = access.admin(asker, slug).project
        chosen = checked_form(SpotCheckForm(self.typed())).cleaned_data
        return draw_spot_check(project=project, admin=asker.user, **chosen)


class SpotCheckView(ApiView):
    @operation(gives=SpotCheckResultSerializer)
    def get(self, asker: UserRequest, slug: str, check_id: int) -> dict[str, Any]:
        """Show the results of a spot check. By person, with Wilson’s 95 % interval. For admins."""
        _, check = check_access.spot_check(asker, slug, check_id)
        return {"people": people_checked(check)}


class EndSpotCheck(ApiView):
    @operation(scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, check_id: int) -> Any:
        """End a spot check. Its judgments can't be changed any more."""
        _, check = check_access.spot_check(asker, slug, check_id)
        end_spot_check(check=check, admin=asker.user)


class JudgeSpotCheckItem(ApiView):
    @operation(takes=body_of("SpotCheckJudgment", JudgmentForm), scope=WORK)
    def put(self, asker: UserRequest, slug: str, spot_item_id: int) -> Any:
        """Judge an item of a spot check. For experts, reviewers and admins."""
        _, item = check_access.item_to_judge(asker, slug, spot_item_id)
        chosen = checked_form(JudgmentForm(self.typed())).cleaned_data
        judge_item(
            item=item,
            is_right=chosen["verdict"] == RIGHT,
            remark=chosen["remark"],
            reviewer=asker.user,
        )


CHECKS = "projects/<slug:slug>/spot-checks/"
urlpatterns = [
    path(CHECKS, SpotChecks.as_view(), name="spot_checks"),
    path(f"{CHECKS}<int:check_id>/", SpotCheckView.as_view(), name="spot_check"),
    path(f"{CHECKS}<int:check_id>/end/", EndSpotCheck.as_view(), name="end_spot_check"),
    path(
        f"{CHECKS}items/<int:spot_item_id>/",
        JudgeSpotCheckItem.as_view(),
        name="judge_spot_check_item",
    ),
]
