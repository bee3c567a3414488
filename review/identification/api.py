"""The API of tests whether a text alone identifies its clip."""

from __future__ import annotations

from typing import Any

from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest, own_assignment
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, WORK, ApiView, operation
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.models import WorkItem
from annotate.queue.api import own_hold
from review import access
from review.identification import services
from review.identification.access import only_carebench
from review.identification.forms import StartForm
from review.identification.models import IdentificationTest

TAG = "Identification"


class IdentificationTestSerializer(RowSerializer[IdentificationTest]):
    class Meta:
        model = IdentificationTest
        fields = ("id", "options", "people", "created_at", "ended_at")


class PickSerializer(serializers.Serializer[Any]):
    place = serializers.CharField(max_length=10, help_text="Of the clip, as in the task.")


class StartIdentification(ApiView):
    @operation(
        gives=IdentificationTestSerializer,
        takes=body_of("NewIdentificationTest", StartForm),
        status=201,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str) -> IdentificationTest:
        """Start a test of identification."""
        membership = only_carebench(access.admin(asker, slug))
        chosen = checked_form(StartForm(self.typed())).cleaned_data
        return services.start_test(project=membership.project, admin=asker.user, **chosen)


class EndIdentification(ApiView):
    @operation(scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> Any:
        """End the test of identification. Its picks count."""
        services.end_test(project=access.admin(asker, slug).project, admin=asker.user)


class PickAgain(ApiView):
    @operation(takes=PickSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, assignment_id: int) -> Any:
        """Change your pick of a clip."""
        own_hold(asker, slug, assignment_id)
        assignment = own_assignment(asker, assignment_id, WorkItem.Kind.IDENTIFY)
        services.pick_again(assignment=assignment, typed=self.values["place"])


ALL = "projects/<slug:slug>/identification/"
urlpatterns = [
    path(ALL, StartIdentification.as_view(), name="start_identification"),
    path(f"{ALL}end/", EndIdentification.as_view(), name="end_identification"),
    path(
        "projects/<slug:slug>/work/<int:assignment_id>/pick-again/",
        PickAgain.as_view(),
        name="pick_again",
    ),
]
