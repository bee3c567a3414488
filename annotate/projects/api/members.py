"""The API of a project's members."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.models import Membership, Role
from annotate.projects.forms.members import ProgramForm
from annotate.projects.queries import members_of_any_state
from annotate.projects.services import members as services

TAG = "Members"
ROLES = serializers.ListField(
    child=serializers.ChoiceField(choices=Role.choices), allow_empty=False, max_length=4
)


class RolesSerializer(serializers.Serializer[Any]):
    roles = ROLES


ProgramSerializer = body_of("DeclaredProgram", ProgramForm)


class MemberSerializer(serializers.ModelSerializer[Membership]):
    name = serializers.CharField(source="user.name")
    email = serializers.EmailField(source="user.email")
    roles = serializers.ListField(child=serializers.ChoiceField(choices=Role.choices))

    class Meta:
        model = Membership
        fields: tuple[str, ...] = (
            *("id", "name", "email", "roles", "program", "created_at", "deactivated_at"),
        )


class MemberFilters(Filters):
    deactivated = serializers.BooleanField(default=False, help_text="Those instead of the active.")


class Members(ApiView):
    @operation(gives=MemberSerializer, query=MemberFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Membership]:
        """List members. For admins."""
        project = access.member(asker, slug, Role.ADMIN).project
        if self.query["deactivated"]:
            return members_of_any_state(project).filter(deactivated_at__isnull=False)
        return project.memberships.select_related("user")


class MemberView(ApiView):
    @operation(gives=MemberSerializer)
    def get(self, asker: UserRequest, slug: str, membership_id: int) -> Membership:
        """Show a member. For admins."""
        return member_of(asker, slug, membership_id)

    @operation(gives=MemberSerializer, takes=RolesSerializer, scope=ADMIN)
    def patch(self, asker: UserRequest, slug: str, membership_id: int) -> Membership:
        """Change the roles of a member."""
        changed = member_of(asker, slug, membership_id)
        roles = self.values["roles"]
        return services.change_roles(membership=changed, admin=asker.user, roles=roles)

    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, membership_id: int) -> None:
        """Remove a member. Their texts stay."""
        services.remove_member(membership=member_of(asker, slug, membership_id), admin=asker.user)


class Program(ApiView):
    @operation(gives=MemberSerializer, takes=ProgramSerializer, scope=ADMIN)
    def put(self, asker: UserRequest, slug: str, membership_id: int) -> Membership:
        """Declare a member as a program with its model; empty: as a person."""
        member = member_of(asker, slug, membership_id)
        form = checked_form(ProgramForm(self.typed()))
        return services.declare_program(
            membership=member, admin=asker.user, program=form.cleaned_data["program"]
        )


def member_of(asker: UserRequest, slug: str, membership_id: int) -> Membership:
    """Return a member of the admin's project, active or not."""
    project = access.member(asker, slug, Role.ADMIN).project
    members = Membership.with_deactivated.select_related("user", "project")
    return get_object_or_404(members, pk=membership_id, project=project)


MEMBERS = "projects/<slug:slug>/members/"
MEMBER = f"{MEMBERS}<int:membership_id>/"
urlpatterns = [
    path(MEMBERS, Members.as_view(), name="members"),
    path(MEMBER, MemberView.as_view(), name="member"),
    path(f"{MEMBER}program/", Program.as_view(), name="program"),
]
