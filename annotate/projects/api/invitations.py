"""The API of invitations to a project."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.rows import RowSerializer
from annotate.models import Invitation, Role
from annotate.projects.api.members import ROLES
from annotate.projects.services import members as services

TAG = "Members"


class NewInvitationSerializer(serializers.Serializer[Any]):
    roles = ROLES
    email = serializers.EmailField(
        default="", allow_blank=True, help_text="With it, only that person can use the link."
    )


STATES = ("open", "expired", "used", "withdrawn")


class InvitationFilters(Filters):
    state = serializers.ChoiceField(choices=STATES, default="open")


class InvitationSerializer(RowSerializer[Invitation]):
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


class MadeInvitationSerializer(InvitationSerializer):
    link = serializers.CharField(help_text="Shown once; send it to the person.")

    class Meta(InvitationSerializer.Meta):
        fields: tuple[str, ...] = (*InvitationSerializer.Meta.fields, "link")


class Invitations(ApiView):
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
    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, invitation_id: int) -> None:
        """Withdraw an invitation."""
        project = access.member(asker, slug, Role.ADMIN).project
        invitation = get_object_or_404(Invitation, pk=invitation_id, project=project)
        services.withdraw_invitation(invitation=invitation, admin=asker.user)


class RenewInvitation(ApiView):
    @operation(gives=MadeInvitationSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, invitation_id: int) -> Invitation:
        """Give an invitation a new link. Its former link no longer works."""
        project = access.member(asker, slug, Role.ADMIN).project
        invitation = get_object_or_404(Invitation, pk=invitation_id, project=project)
        renewed = services.renew_invitation(invitation=invitation, admin=asker.user)
        return _with_link(asker, *renewed)


def _with_link(asker: UserRequest, invitation: Invitation, token: str) -> Invitation:
    link = asker.build_absolute_uri(reverse("annotate:join", args=[token]))
    invitation.link = link  # type: ignore[attr-defined]  # for the serializer
    return invitation


INVITATIONS = "projects/<slug:slug>/invitations/"
INVITATION = f"{INVITATIONS}<int:invitation_id>/"
urlpatterns = [
    path(INVITATIONS, Invitations.as_view(), name="invitations"),
    path(INVITATION, InvitationView.as_view(), name="invitation"),
    path(f"{INVITATION}renew/", RenewInvitation.as_view(), name="renew_invitation"),
]
