"""The API of takedowns: list, preview, take down, undo."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.api.rows import RowSerializer
from review import access as review_access
from review.frozen.takedowns import Takedown
from review.takedowns import access
from review.takedowns.forms import LONGEST_NOTE
from review.takedowns.queries import Preview, key_of, preview_of, proposed, takedowns_of
from review.takedowns.services import take_down, undo_takedown

TAG = "Releases"
MOST_KEY = 2**63 - 1


class ItemSerializer(serializers.Serializer[Any]):
    what = serializers.ChoiceField(choices=Takedown.What.choices)
    key = serializers.IntegerField(
        min_value=1, max_value=MOST_KEY, help_text="The id of the clip, video or caption."
    )


class ItemQuery(serializers.Serializer[Any]):
    """Both are needed; who may ask is decided first."""

    what = serializers.ChoiceField(choices=Takedown.What.choices, required=False)
    key = serializers.IntegerField(
        min_value=1,
        max_value=MOST_KEY,
        required=False,
        help_text="The id of the clip, video or caption.",
    )


class NewTakedownSerializer(ItemSerializer):
    reason = serializers.ChoiceField(choices=Takedown.Reason.choices)
    note = serializers.CharField(
        max_length=LONGEST_NOTE,
        default="",
        allow_blank=True,
        help_text="For admins. No release shows it.",
    )


class TakedownSerializer(RowSerializer[Takedown]):
    key = serializers.SerializerMethodField()
    undone_at = serializers.DateTimeField(
        source="reinstatement.created_at", allow_null=True, default=None
    )

    class Meta:
        model = Takedown
        fields: tuple[str, ...] = ("id", "what", "key", "reason", "note", "created_at", "undone_at")

    def get_key(self, takedown: Takedown) -> int:
        return key_of(takedown)


class AffectedSerializer(serializers.Serializer[Any]):
    version = serializers.CharField(source="release.version")
    items = serializers.ListField(child=serializers.CharField())


class PreviewSerializer(serializers.Serializer[Preview]):
    clips = serializers.IntegerField(help_text="How many clips it covers.")
    affected = AffectedSerializer(many=True)


class Takedowns(ApiView):
    @operation(gives=TakedownSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Takedown]:
        """List takedowns. Undone ones, too. The newest first."""
        return takedowns_of(review_access.admin(asker, slug).project)

    @operation(gives=TakedownSerializer, takes=NewTakedownSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> Takedown:
        """Take something out of all releases. Workers build their archives again without it."""
        project = review_access.admin(asker, slug).project
        return take_down(project=project, admin=asker.user, **self.values)


class TakedownPreview(ApiView):
    @operation(gives=PreviewSerializer, query=ItemQuery)
    def get(self, asker: UserRequest, slug: str) -> Preview:
        """Show what a takedown would affect. Nothing is changed."""
        project = review_access.admin(asker, slug).project
        if missing := {"what", "key"} - self.query.keys():
            raise serializers.ValidationError(dict.fromkeys(missing, "Name the item."))
        takedown = proposed(project, self.query["what"], self.query["key"])
        if takedown is None:
            raise Http404
        return preview_of(takedown)


class UndoTakedown(ApiView):
    @operation(gives=TakedownSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, takedown_id: int) -> Takedown:
        """Undo a takedown. Releases offer the item again."""
        undo_takedown(takedown=access.takedown(asker, slug, takedown_id)[1], admin=asker.user)
        return access.takedown(asker, slug, takedown_id)[1]


TAKEDOWNS = "projects/<slug:slug>/takedowns/"
urlpatterns = [
    path(TAKEDOWNS, Takedowns.as_view(), name="takedowns"),
    path(f"{TAKEDOWNS}preview/", TakedownPreview.as_view(), name="takedown_preview"),
    path(f"{TAKEDOWNS}<int:takedown_id>/undo/", UndoTakedown.as_view(), name="undo_takedown"),
]
