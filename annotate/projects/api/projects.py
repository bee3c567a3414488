"""The API of projects, and of a token's rights."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.rows import RowSerializer
from annotate.models import Project, Role

TAG = "Projects"


class ProjectSerializer(RowSerializer[Project]):
    class Meta:
        model = Project
        fields: tuple[str, ...] = (
            *("slug", "name", "protocol", "license", "is_simulated", "created_at"),
            *("min_words", "max_words", "writers_per_clip", "sign_offs", "lease_minutes"),
            *("min_modification_words", "max_modification_words", "quota_min", "quota_max"),
            *("min_clip_seconds", "min_frame_side"),
        )


class WhoSerializer(serializers.Serializer[Any]):
    """The token, its owner, and its rights."""

    project = ProjectSerializer(source="membership.project")
    person = serializers.CharField(source="membership.user.name")
    roles = serializers.ListField(
        child=serializers.ChoiceField(choices=Role.choices), source="membership.roles"
    )
    program = serializers.CharField(
        source="membership.program", help_text="Its model, if the member is declared as a program."
    )
    scope = serializers.CharField(help_text="`read`, `work` or `admin`.")
    expires_at = serializers.DateTimeField()


class Who(ApiView):
    @operation(gives=WhoSerializer)
    def get(self, asker: UserRequest) -> object:
        """Show the token. Its project, its person with their roles, and its scope."""
        return self.token


class Projects(ApiView):
    @operation(gives=ProjectSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest) -> QuerySet[Project]:
        """List projects. The one of the token."""
        return Project.objects.filter(pk=self.token.membership.project_id)


class ProjectView(ApiView):
    @operation(gives=ProjectSerializer)
    def get(self, asker: UserRequest, slug: str) -> Project:
        """Show a project."""
        return access.member(asker, slug).project


urlpatterns = [
    path("token/", Who.as_view(), name="token"),
    path("projects/", Projects.as_view(), name="projects"),
    path("projects/<slug:slug>/", ProjectView.as_view(), name="project"),
]
