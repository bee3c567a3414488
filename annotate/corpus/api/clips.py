"""The API of clips."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet, prefetch_related_objects
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.paging import Filters, Orders, order_field
from annotate.clips_to_do import hide
from annotate.corpus.clip_stages import DESCRIBED, LEFT_OUT, STEPS, TOO_SMALL
from annotate.corpus.queries import LENGTHS, filter_clips
from annotate.corpus.services.exclusion import take_back_clip, withdraw_clip
from annotate.corpus.services.labels import correct_clip_label
from annotate.models import ActionLabel, Clip, Membership, Role, Tag
from annotate.models.corpus import MAX_REASON_LENGTH

TAG = "Clips"
CLIP_ORDERS: Orders = {"id": ("id",), "name": ("name",), "length": ("duration_ms", "id")}
STAGES = (*STEPS, DESCRIBED, LEFT_OUT, TOO_SMALL)


class ClipSerializer(serializers.ModelSerializer[Clip]):
    """Half-open: `end_frame` is the first frame after the clip, of its video’s playback file."""

    seconds = serializers.FloatField()
    category = serializers.CharField(source="video.category")
    subcategory = serializers.CharField(source="video.subcategory")
    split = serializers.CharField(source="video.split")
    excluded_because = serializers.CharField(source="left_out_because")
    label = serializers.CharField(  # type: ignore[assignment]  # a field of this name
        source="label.key", allow_null=True, default=None
    )

    tags = serializers.SlugRelatedField[Tag](many=True, read_only=True, slug_field="name")

    class Meta:
        model = Clip
        fields = (
            *("id", "name", "video", "start_frame", "end_frame", "seconds", "category"),
            *("subcategory", "split", "excluded_because", "label", "tags", "created_at"),
        )


class ClipFilters(Filters):
    order = order_field(CLIP_ORDERS)
    q = serializers.CharField(required=False, max_length=200, help_text="Part of the name.")
    category = serializers.CharField(required=False)
    subcategory = serializers.CharField(required=False)
    label = serializers.CharField(  # type: ignore[assignment]  # a field of this name
        required=False, help_text="Key of an action label."
    )
    length = serializers.ChoiceField(
        choices=list(LENGTHS), required=False, help_text="Under 5 s, 5 to 20 s, or over 20 s."
    )
    stage = serializers.ChoiceField(choices=STAGES, required=False)
    tagged = serializers.CharField(required=False, help_text="A tag that the clips have.")


class ClipLabelSerializer(serializers.Serializer[Any]):
    label = serializers.CharField(  # type: ignore[assignment]  # a field of this name
        max_length=40, help_text="Key of the label that it should have."
    )


class WithdrawalSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=MAX_REASON_LENGTH)


class Clips(ApiView):
    @operation(gives=ClipSerializer, query=ClipFilters, orders=CLIP_ORDERS)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Clip]:
        """List clips."""
        membership = access.member(asker, slug)
        clips = filter_clips(membership, {**self.query, "sort": self.query["order"]})
        clips = clips.select_related("video", "label").prefetch_related("tags")
        return clips.defer("video__probe", "video__shots")

    def clear_hidden(self, asker: UserRequest, rows: list[Any]) -> None:
        hide(access.member(asker, self.kwargs["slug"]), rows)


class ClipView(ApiView):
    @operation(gives=ClipSerializer)
    def get(self, asker: UserRequest, slug: str, clip_id: int) -> Clip:
        """Show a clip."""
        membership, clip = access.clip(asker, slug, clip_id)
        prefetch_related_objects([clip], "tags")
        hide(membership, [clip])
        return clip

    @operation(gives=ClipSerializer, takes=ClipLabelSerializer, scope=ADMIN)
    def patch(self, asker: UserRequest, slug: str, clip_id: int) -> Clip:
        """Correct the label of a clip. What uses the old label is marked as outdated."""
        membership, clip = _administered(asker, slug, clip_id)
        key = self.values["label"]
        label = ActionLabel.objects.filter(project=membership.project, key=key).first()
        if label is None:
            raise serializers.ValidationError({"label": f"The project has no label {key}."})
        correct_clip_label(clip=clip, label=label, admin=asker.user)
        return access.clip(asker, slug, clip_id)[1]


class WithdrawClip(ApiView):
    @operation(gives=ClipSerializer, takes=WithdrawalSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, clip_id: int) -> Clip:
        """Withdraw a clip. Its texts and drafts are kept, and its work waits."""
        _, clip = _administered(asker, slug, clip_id)
        withdraw_clip(clip=clip, reason=self.values["reason"], admin=asker.user)
        return access.clip(asker, slug, clip_id)[1]


class TakeBackClip(ApiView):
    @operation(gives=ClipSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, clip_id: int) -> Clip:
        """Take a withdrawn clip back. With its work."""
        _, clip = _administered(asker, slug, clip_id)
        take_back_clip(clip=clip, admin=asker.user)
        return access.clip(asker, slug, clip_id)[1]


def _administered(asker: UserRequest, slug: str, clip_id: int) -> tuple[Membership, Clip]:
    access.member(asker, slug, Role.ADMIN)
    return access.clip(asker, slug, clip_id)


CLIP = "projects/<slug:slug>/clips/<int:clip_id>/"
urlpatterns = [
    path("projects/<slug:slug>/clips/", Clips.as_view(), name="clips"),
    path(CLIP, ClipView.as_view(), name="clip"),
    path(f"{CLIP}withdraw/", WithdrawClip.as_view(), name="withdraw_clip"),
    path(f"{CLIP}take-back/", TakeBackClip.as_view(), name="take_back_clip"),
]
