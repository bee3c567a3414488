"""The API of projects, and of a token's rights."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.forms.models import model_to_dict
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.models import Project, Role
from annotate.projects.forms.projects import DuplicateForm, ProjectSettingsForm
from annotate.projects.services.duplicates import duplicate_project
from annotate.projects.services.projects import change_project

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


class ProjectChangesSerializer(serializers.ModelSerializer[Project]):
    """Fields that are left out stay unchanged."""

    accepts_withdrawal = serializers.BooleanField(
        default=False, help_text="Also where new limits withdraw open write-ups."
    )

    class Meta:
        model = Project
        fields: tuple[str, ...] = (*ProjectSettingsForm.Meta.fields, "accepts_withdrawal")
        extra_kwargs = {name: {"required": False} for name in ProjectSettingsForm.Meta.fields}


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


class DuplicateSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=120)
    slug = serializers.CharField(max_length=60, help_text="Its address.")
    with_members = serializers.BooleanField(default=False)


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

    @operation(gives=ProjectSerializer, takes=ProjectChangesSerializer, scope=ADMIN)
    def patch(self, asker: UserRequest, slug: str) -> Project:
        """Change the settings of a project."""
        project = access.member(asker, slug, Role.ADMIN).project
        settings = model_to_dict(project, ProjectSettingsForm.Meta.fields)
        form = checked_form(ProjectSettingsForm(settings | self.values, instance=project))
        return change_project(project_id=project.pk, admin=asker.user, **form.changes())


class Duplicate(ApiView):
    @operation(gives=ProjectSerializer, takes=DuplicateSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> Project:
        """Duplicate the settings of a project. Into a new one, for which you make a token there."""
        source = access.member(asker, slug, Role.ADMIN).project
        chosen = checked_form(DuplicateForm(self.typed())).cleaned_data
        return duplicate_project(source=source, admin=asker.user, **chosen)


urlpatterns = [
    path("token/", Who.as_view(), name="token"),
    path("projects/", Projects.as_view(), name="projects"),
    path("projects/<slug:slug>/", ProjectView.as_view(), name="project"),
    path("projects/<slug:slug>/duplicate/", Duplicate.as_view(), name="duplicate_project"),
]
