"""The API of people's numbers."""

from __future__ import annotations

from typing import Any

from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import ApiView, operation
from annotate.models import WorkItem
from review import access
from review.people import access as people_access
from review.people.numbers import ProjectNumbers
from review.people.pages import members_of

TAG = "Quality"


class MinutesSerializer(serializers.Serializer[Any]):
    median = serializers.FloatField()
    lower = serializers.FloatField(help_text="The first quartile.")
    upper = serializers.FloatField(help_text="The third quartile.")
    items = serializers.IntegerField()


class RightSerializer(serializers.Serializer[Any]):
    right = serializers.IntegerField()
    answered = serializers.IntegerField()
    interval = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="Wilson’s, 95 %."
    )


class AgreedSerializer(serializers.Serializer[Any]):
    equal = serializers.IntegerField()
    of = serializers.IntegerField()


class ReliabilitySerializer(serializers.Serializer[Any]):
    value = serializers.FloatField(help_text="The probability that an answer is right.")
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True, help_text="The ends of the 95 % interval.")


class SignSerializer(serializers.Serializer[Any]):
    sign = serializers.CharField(source="key")
    observed = serializers.CharField()
    tested = serializers.CharField()
    is_marked = serializers.BooleanField()


class NumbersSerializer(serializers.Serializer[Any]):
    member = serializers.IntegerField(source="membership.pk")
    person = serializers.CharField(source="membership.user.name")
    kind = serializers.ChoiceField(choices=WorkItem.Kind.choices)
    finished = serializers.IntegerField()
    per_day = serializers.ListField(
        child=serializers.IntegerField(), help_text="Of the last 14 days of UTC, today last."
    )
    minutes = MinutesSerializer(allow_null=True)
    gold = RightSerializer(allow_null=True, help_text="For admins.")
    spot_checks = RightSerializer()
    agreed = AgreedSerializer(allow_null=True)
    reliability = ReliabilitySerializer(
        allow_null=True, help_text="Your own leaves gold out, and spot checks that have not ended."
    )
    sent_back = serializers.IntegerField()
    submitted = serializers.IntegerField(help_text="Those sent back are a share of these.")
    signs = SignSerializer(many=True)


class PeopleSerializer(serializers.Serializer[Any]):
    numbers = NumbersSerializer(many=True)


class People(ApiView):
    @operation(gives=PeopleSerializer)
    def get(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """Show the numbers of all people. By person and kind of work, with signs of missing
        attention. For admins."""
        project = access.admin(asker, slug).project
        numbers = ProjectNumbers(project)
        return {
            "numbers": [row for member in members_of(project) for row in numbers.of_person(member)]
        }


class Person(ApiView):
    @operation(gives=PeopleSerializer)
    def get(self, asker: UserRequest, slug: str, membership_id: int) -> dict[str, Any]:
        """Show the numbers of a person. For admins."""
        membership, member = people_access.person(asker, slug, membership_id)
        return {"numbers": ProjectNumbers(membership.project).of_person(member)}


class OwnNumbers(ApiView):
    @operation(gives=PeopleSerializer)
    def get(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """Show your own numbers. Without gold."""
        membership = people_access.own(asker, slug)
        numbers = ProjectNumbers(membership.project)
        return {"numbers": numbers.of_person(membership, is_own=True)}


PROJECT = "projects/<slug:slug>/"
urlpatterns = [
    path(f"{PROJECT}people/", People.as_view(), name="people"),
    path(f"{PROJECT}people/<int:membership_id>/", Person.as_view(), name="person"),
    path(f"{PROJECT}your-numbers/", OwnNumbers.as_view(), name="own_numbers"),
]
