"""The API to deactivate and reactivate members."""

from __future__ import annotations

from typing import Any

from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import key_field
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.models import Membership
from annotate.projects.api.members import MEMBER, MemberSerializer, member_of
from annotate.projects.services.deactivation import deactivate_member, reactivate_member
from annotate.queue.services.handing_on import HandedOn

TAG = "Members"


class DeactivationSerializer(serializers.Serializer[Any]):
    to = key_field(
        default=None, allow_null=True, help_text="The member who gets the work; null: everybody."
    )
    with_account = serializers.BooleanField(
        default=False, help_text="The account too. For admins of the site."
    )


class ReactivationSerializer(serializers.Serializer[Any]):
    with_account = serializers.BooleanField(
        default=False, help_text="The account too. For admins of the site."
    )


class HandedOnSerializer(serializers.Serializer[Any]):
    held = serializers.IntegerField()
    sent_back = serializers.IntegerField()
    waiting = serializers.IntegerField()
    reserved = serializers.IntegerField()
    to_person = serializers.IntegerField(help_text="Reserved for the member `to` now.")


class Deactivate(ApiView):
    @operation(gives=HandedOnSerializer, takes=DeactivationSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, membership_id: int) -> HandedOn:
        """Deactivate a member. Their open work is handed on, their texts and drafts stay."""
        member = member_of(asker, slug, membership_id)
        to = member_of(asker, slug, self.values["to"]) if self.values["to"] else None
        return deactivate_member(
            membership=member, admin=asker.user, to=to, with_account=self.values["with_account"]
        )


class Reactivate(ApiView):
    @operation(gives=MemberSerializer, takes=ReactivationSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, membership_id: int) -> Membership:
        """Reactivate a member. With the roles and drafts that they had."""
        return reactivate_member(
            membership=member_of(asker, slug, membership_id),
            admin=asker.user,
            with_account=self.values["with_account"],
        )


urlpatterns = [
    path(f"{MEMBER}deactivate/", Deactivate.as_view(), name="deactivate_member"),
    path(f"{MEMBER}reactivate/", Reactivate.as_view(), name="reactivate_member"),
]
