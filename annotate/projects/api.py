"""The API of a project, and of its members."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.models import Membership, Project, Role


class ProjectSerializer(serializers.ModelSerializer[Project]):
    class Meta:
        model = Project
        fields = (
            *("slug", "name", "protocol", "licence", "is_simulated", "created_at"),
            *("min_words", "max_words", "writers_per_clip", "sign_offs", "lease_minutes"),
            *("min_modification_words", "max_modification_words", "quota_min", "quota_max"),
            *("min_clip_seconds", "min_frame_side"),
        )
        read_only_fields = fields


class WhoSerializer(serializers.Serializer[Any]):
    """The token, whose it is, and what it may do."""

    project = ProjectSerializer(source="membership.project")
    person = serializers.CharField(source="membership.user.name")
    roles = serializers.ListField(
        child=serializers.ChoiceField(choices=Role.choices), source="membership.roles"
    )
    scope = serializers.CharField(help_text="`read`, `work` or `admin`.")
    expires_at = serializers.DateTimeField()


class MemberSerializer(serializers.ModelSerializer[Membership]):
    name = serializers.CharField(source="user.name")
    email = serializers.EmailField(source="user.email")
    roles = serializers.ListField(child=serializers.ChoiceField(choices=Role.choices))

    class Meta:
        model = Membership
        fields = ("id", "name", "email", "roles", "created_at")


class Who(ApiView):
    tag = "Projects"

    @operation(gives=WhoSerializer)
    def get(self, asker: UserRequest) -> object:
        """Show the token. Its project, its person with their roles, and its scope."""
        return self.token


class ProjectView(ApiView):
    tag = "Projects"

    @operation(gives=ProjectSerializer)
    def get(self, asker: UserRequest, slug: str) -> Project:
        """Show a project."""
        return access.member(asker, slug).project


class Members(ApiView):
    tag = "Members"

    @operation(gives=MemberSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Membership]:
        """List members. For admins."""
        membership = access.member(asker, slug, Role.ADMIN)
        return membership.project.memberships.select_related("user")


urlpatterns = [
    path("token/", Who.as_view(), name="token"),
    path("projects/<slug:slug>/", ProjectView.as_view(), name="project"),
    path("projects/<slug:slug>/members/", Members.as_view(), name="members"),
]
