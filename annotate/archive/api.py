"""Archived things as resources of the API."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate import access as project_access
from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.rows import RowSerializer
from annotate.archive import access
from annotate.archive.queries import archived_row, dependents
from annotate.archive.services import (
    LONGEST_REASON,
    archive_thing,
    delete_thing,
    restore_thing,
)
from annotate.models import Archived, Role

TAG = "Archive"


class ArchivedSerializer(RowSerializer[Archived]):
    class Meta:
        model = Archived
        fields = ("kind", "subject", "name", "reason", "archived_at")


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=LONGEST_REASON, allow_blank=True, default="")


class ThingSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    subject = serializers.IntegerField(help_text="Its key.")
    name = serializers.CharField()
    is_archived = serializers.BooleanField()
    dependents = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="What depends on it, by name. It can be deleted if this is empty.",
    )


class Archive(ApiView):
    @operation(gives=ArchivedSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Archived]:
        """List what is archived."""
        project = project_access.member(asker, slug, Role.ADMIN).project
        return Archived.objects.filter(project=project)


class ThingView(ApiView):
    @operation(gives=ThingSerializer)
    def get(self, asker: UserRequest, slug: str, thing_kind: str, thing_id: int) -> dict[str, Any]:
        """Show what depends on a thing. Kinds: video, clip, run, round, caption-set, project."""
        return _shown(asker, slug, thing_kind, thing_id)

    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, thing_kind: str, thing_id: int) -> None:
        """Delete a thing that nothing depends on. It can’t be undone."""
        membership, archive_kind, thing = access.thing(asker, slug, thing_kind, thing_id)
        delete_thing(project=membership.project, kind=archive_kind, thing=thing, admin=asker.user)


class PutAway(ApiView):
    @operation(gives=ThingSerializer, takes=ReasonSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, thing_kind: str, thing_id: int) -> dict[str, Any]:
        """Archive a thing. Everything that depends on it stays."""
        membership, archive_kind, thing = access.thing(asker, slug, thing_kind, thing_id)
        archive_thing(
            project=membership.project,
            kind=archive_kind,
            thing=thing,
            reason=self.values["reason"],
            admin=asker.user,
        )
        return _shown(asker, slug, thing_kind, thing_id)


class Restore(ApiView):
    @operation(gives=ThingSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, thing_kind: str, thing_id: int) -> dict[str, Any]:
        """Restore an archived thing, as it was."""
        membership, archive_kind, thing = access.thing(asker, slug, thing_kind, thing_id)
        restore_thing(project=membership.project, kind=archive_kind, thing=thing, admin=asker.user)
        return _shown(asker, slug, thing_kind, thing_id)


def _shown(asker: UserRequest, slug: str, thing_kind: str, thing_id: int) -> dict[str, Any]:
    _, archive_kind, thing = access.thing(asker, slug, thing_kind, thing_id)
    return {
        "kind": archive_kind.name,
        "subject": thing.pk,
        "name": archive_kind.title(thing),
        "is_archived": archived_row(archive_kind.name, thing.pk) is not None,
        "dependents": dependents(archive_kind, thing),
    }


_THING = "projects/<slug:slug>/archive/<slug:thing_kind>/<int:thing_id>/"
urlpatterns = [
    path("projects/<slug:slug>/archive/", Archive.as_view(), name="archive"),
    path(_THING, ThingView.as_view(), name="archived_thing"),
    path(f"{_THING}archive/", PutAway.as_view(), name="put_away"),
    path(f"{_THING}restore/", Restore.as_view(), name="restore_thing"),
]
