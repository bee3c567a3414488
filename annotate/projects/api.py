"""The API of a project, its members and invitations."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.forms.models import model_to_dict
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.forms import typed
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.models import Invitation, Membership, Project, Role
from annotate.projects.forms.projects import DuplicateForm, ProjectSettingsForm
from annotate.projects.forms.shares import SharesForm, share_value
from annotate.projects.queries import members_of_any_state
from annotate.projects.services import members as services
from annotate.projects.services.duplicates import duplicate_project
from annotate.projects.services.projects import change_project


class ProjectSerializer(serializers.ModelSerializer[Project]):
    class Meta:
        model = Project
        fields: tuple[str, ...] = (
            *("slug", "name", "protocol", "license", "is_simulated", "created_at"),
            *("min_words", "max_words", "writers_per_clip", "sign_offs", "lease_minutes"),
            *("min_modification_words", "max_modification_words", "quota_min", "quota_max"),
            *("min_clip_seconds", "min_frame_side"),
        )
        read_only_fields = fields


class ProjectChangesSerializer(serializers.ModelSerializer[Project]):
    """What is left out stays as it is."""

    accepts_withdrawal = serializers.BooleanField(
        default=False, help_text="Also where new limits withdraw open write-ups."
    )

    class Meta:
        model = Project
        fields: tuple[str, ...] = (*ProjectSettingsForm.Meta.fields, "accepts_withdrawal")
        extra_kwargs = {name: {"required": False} for name in ProjectSettingsForm.Meta.fields}


class WhoSerializer(serializers.Serializer[Any]):
    """The token, whose it is, and what it may do."""

    project = ProjectSerializer(source="membership.project")
    person = serializers.CharField(source="membership.user.name")
    roles = serializers.ListField(
        child=serializers.ChoiceField(choices=Role.choices), source="membership.roles"
    )
    scope = serializers.CharField(help_text="`read`, `work` or `admin`.")
    expires_at = serializers.DateTimeField()


ROLES = serializers.ListField(
    child=serializers.ChoiceField(choices=Role.choices), allow_empty=False, max_length=4
)


class RolesSerializer(serializers.Serializer[Any]):
    roles = ROLES


class NewInvitationSerializer(serializers.Serializer[Any]):
    roles = ROLES
    email = serializers.EmailField(
        default="", allow_blank=True, help_text="With it, only that person can use the link."
    )


class ShareSerializer(serializers.Serializer[Any]):
    category = serializers.CharField(max_length=100)
    subcategory = serializers.CharField(
        default="", allow_blank=True, max_length=100, help_text="Empty: the whole category."
    )


class SubcategoriesSerializer(serializers.Serializer[Any]):
    shares = ShareSerializer(many=True)


STATES = ("open", "expired", "used", "withdrawn")


class InvitationFilters(Filters):
    state = serializers.ChoiceField(choices=STATES, default="open")


class DuplicateSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=120)
    slug = serializers.CharField(max_length=60, help_text="Its address.")
    with_members = serializers.BooleanField(default=False)


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    email = serializers.CharField(help_text="Empty: anybody with the link can use it.")
    roles = serializers.ListField(child=serializers.ChoiceField(choices=Role.choices))
    joined = serializers.CharField(
        source="accepted_by.name", default=None, allow_null=True, help_text="Who used it."
    )

    class Meta:
        model = Invitation
        fields: tuple[str, ...] = (
            *("id", "email", "roles", "joined", "created_at", "expires_at", "accepted_at"),
        )
        read_only_fields = fields


class MadeInvitationSerializer(InvitationSerializer):
    link = serializers.CharField(help_text="Shown once; send it to the person.")

    class Meta(InvitationSerializer.Meta):
        fields: tuple[str, ...] = (*InvitationSerializer.Meta.fields, "link")
        read_only_fields = fields


class MemberSerializer(serializers.ModelSerializer[Membership]):
    name = serializers.CharField(source="user.name")
    email = serializers.EmailField(source="user.email")
    roles = serializers.ListField(child=serializers.ChoiceField(choices=Role.choices))

    class Meta:
        model = Membership
        fields: tuple[str, ...] = ("id", "name", "email", "roles", "created_at", "deactivated_at")


class MemberFilters(Filters):
    deactivated = serializers.BooleanField(default=False, help_text="Those instead of the active.")


class Who(ApiView):
    tag = "Projects"

    @operation(gives=WhoSerializer)
    def get(self, asker: UserRequest) -> object:
        """Show the token. Its project, its person with their roles, and its scope."""
        return self.token


class Projects(ApiView):
    tag = "Projects"

    @operation(gives=ProjectSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest) -> QuerySet[Project]:
        """List projects. The one of the token."""
        return Project.objects.filter(pk=self.token.membership.project_id)


class ProjectView(ApiView):
    tag = "Projects"

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


class Members(ApiView):
    tag = "Members"

    @operation(gives=MemberSerializer, query=MemberFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Membership]:
        """List members. For admins."""
        project = access.member(asker, slug, Role.ADMIN).project
        if self.query["deactivated"]:
            return members_of_any_state(project).filter(deactivated_at__isnull=False)
        return project.memberships.select_related("user")


class MemberView(ApiView):
    tag = "Members"

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


class Subcategories(ApiView):
    tag = "Members"

    @operation(gives=SubcategoriesSerializer)
    def get(self, asker: UserRequest, slug: str, membership_id: int) -> dict[str, Any]:
        """Show the subcategories of a member. For admins; without any, they get work from all."""
        return _subcategories(member_of(asker, slug, membership_id))

    @operation(gives=SubcategoriesSerializer, takes=SubcategoriesSerializer, scope=ADMIN)
    def put(self, asker: UserRequest, slug: str, membership_id: int) -> dict[str, Any]:
        """Assign subcategories to a member. They replace those of before."""
        member = member_of(asker, slug, membership_id)
        shares = [
            share_value(each["category"], each["subcategory"]) for each in self.values["shares"]
        ]
        form = checked_form(SharesForm(typed({"shares": shares}), project=member.project))
        services.assign_subcategories(
            membership=member, admin=asker.user, shares=form.cleaned_data["shares"]
        )
        return _subcategories(member)


class Invitations(ApiView):
    tag = "Members"

    @operation(gives=InvitationSerializer, query=InvitationFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Invitation]:
        """List invitations. The open ones, or those that were used, withdrawn or have expired. For
        admins."""
        project = access.member(asker, slug, Role.ADMIN).project
        invitations = project.invitations.select_related("accepted_by")
        unused = invitations.filter(accepted_at=None, withdrawn_at=None)
        now = timezone.now()
        by_state = {
            "open": unused.filter(expires_at__gt=now),
            "expired": unused.filter(expires_at__lte=now),
            "used": invitations.exclude(accepted_at=None),
            "withdrawn": invitations.exclude(withdrawn_at=None),
        }
        return by_state[self.query["state"]]

    @operation(
        gives=MadeInvitationSerializer, takes=NewInvitationSerializer, status=201, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> Invitation:
        """Invite somebody. The answer has the link, which is never shown again."""
        project = access.member(asker, slug, Role.ADMIN).project
        return _with_link(asker, *services.invite(project=project, admin=asker.user, **self.values))


class InvitationView(ApiView):
    tag = "Members"

    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, invitation_id: int) -> None:
        """Withdraw an invitation."""
        project = access.member(asker, slug, Role.ADMIN).project
        invitation = get_object_or_404(Invitation, pk=invitation_id, project=project)
        services.withdraw_invitation(invitation=invitation, admin=asker.user)


class RenewInvitation(ApiView):
    tag = "Members"

    @operation(gives=MadeInvitationSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, invitation_id: int) -> Invitation:
        """Give an invitation a new link. Its former link no longer works."""
        project = access.member(asker, slug, Role.ADMIN).project
        invitation = get_object_or_404(Invitation, pk=invitation_id, project=project)
        renewed = services.renew_invitation(invitation=invitation, admin=asker.user)
        return _with_link(asker, *renewed)


class Duplicate(ApiView):
    tag = "Projects"

    @operation(gives=ProjectSerializer, takes=DuplicateSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> Project:
        """Duplicate the settings of a project. Into a new one, for which you make a token there."""
        source = access.member(asker, slug, Role.ADMIN).project
        chosen = checked_form(DuplicateForm(self.typed())).cleaned_data
        return duplicate_project(source=source, admin=asker.user, **chosen)


def _with_link(asker: UserRequest, invitation: Invitation, token: str) -> Invitation:
    link = asker.build_absolute_uri(reverse("annotate:join", args=[token]))
    invitation.link = link  # type: ignore[attr-defined]  # for the serializer
    return invitation


def member_of(asker: UserRequest, slug: str, membership_id: int) -> Membership:
    """Return a member of the admin's project, active or not."""
    project = access.member(asker, slug, Role.ADMIN).project
    members = Membership.of_anyone.select_related("user", "project")
    return get_object_or_404(members, pk=membership_id, project=project)


def _subcategories(member: Membership) -> dict[str, Any]:
    assigned = member.assigned.order_by("category", "subcategory")
    return {"shares": list(assigned.values("category", "subcategory"))}


PROJECT = "projects/<slug:slug>/"
urlpatterns = [
    path("token/", Who.as_view(), name="token"),
    path("projects/", Projects.as_view(), name="projects"),
    path(PROJECT, ProjectView.as_view(), name="project"),
    path(f"{PROJECT}members/", Members.as_view(), name="members"),
    path(f"{PROJECT}members/<int:membership_id>/", MemberView.as_view(), name="member"),
    path(
        f"{PROJECT}members/<int:membership_id>/subcategories/",
        Subcategories.as_view(),
        name="subcategories",
    ),
    path(f"{PROJECT}invitations/", Invitations.as_view(), name="invitations"),
    path(f"{PROJECT}invitations/<int:invitation_id>/", InvitationView.as_view(), name="invitation"),
    path(
        f"{PROJECT}invitations/<int:invitation_id>/renew/",
        RenewInvitation.as_view(),
        name="renew_invitation",
    ),
    path(f"{PROJECT}duplicate/", Duplicate.as_view(), name="duplicate_project"),
]
