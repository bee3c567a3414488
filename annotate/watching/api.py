"""The API of how much of a clip must be watched."""

from __future__ import annotations

from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.models import Project, Role
from annotate.queue.services.watching import require_watching

TAG = "Projects"


class WatchingSerializer(serializers.ModelSerializer[Project]):
    percents = serializers.DictField(
        source="watched_percents",
        child=serializers.IntegerField(min_value=0, max_value=100),
        help_text="By kind of work, in percent of the clip's frames. A kind that is left out, or "
        "has 0, needs nothing.",
    )

    class Meta:
        model = Project
        fields = ("percents",)


class WatchingView(ApiView):
    @operation(gives=WatchingSerializer)
    def get(self, asker: UserRequest, slug: str) -> Project:
        """Show how much of a clip must be watched before each kind of work is submitted."""
        return access.member(asker, slug).project

    @operation(gives=WatchingSerializer, takes=WatchingSerializer, scope=ADMIN)
    def put(self, asker: UserRequest, slug: str) -> Project:
        """Say how much of a clip must be watched."""
        project = access.member(asker, slug, Role.ADMIN).project
        percents = self.values["watched_percents"]
        return require_watching(project=project, percents=percents, admin=asker.user)


urlpatterns = [path("projects/<slug:slug>/watching/", WatchingView.as_view(), name="watching")]
