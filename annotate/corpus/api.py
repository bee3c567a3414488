"""The API of videos, clips and captions."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import BY_KEY, ApiView, operation
from annotate.api.paging import Filters, Orders, order_field
from annotate.corpus.blindness import visible_captions
from annotate.corpus.clip_stages import DESCRIBED, LEFT_OUT, STEPS, TOO_SMALL
from annotate.corpus.queries import LENGTHS, filter_clips
from annotate.corpus.views.media import playback
from annotate.models import ActionLabel, Caption, Clip, Video

CLIP_ORDERS: Orders = {"id": ("id",), "name": ("name",), "length": ("duration_ms", "id")}
STAGES = (*STEPS, DESCRIBED, LEFT_OUT, TOO_SMALL)


class VideoSerializer(serializers.ModelSerializer[Video]):
    fps = serializers.CharField(help_text="Frames per second, exact: `25` or `30000/1001`.")

    class Meta:
        model = Video
        fields = (
            *("id", "original_name", "sha256", "size", "fps", "frames", "width", "height"),
            *("has_audio", "category", "subcategory", "licence", "source_url", "cut_from", "split"),
            *("excluded_because", "created_at"),
        )
        extra_kwargs = {"source_url": {"max_length": None}}


class ClipSerializer(serializers.ModelSerializer[Clip]):
    """Half-open: `end_frame` is the first frame after the clip, of its video’s playback file."""

    seconds = serializers.FloatField()
    category = serializers.CharField(source="video.category")
    subcategory = serializers.CharField(source="video.subcategory")
    split = serializers.CharField(source="video.split")
    excluded_because = serializers.CharField(source="video.excluded_because")
    label = serializers.CharField(source="label.key", allow_null=True, default=None)

    class Meta:
        model = Clip
        fields = (
            *("id", "name", "video", "start_frame", "end_frame", "seconds", "category"),
            *("subcategory", "split", "excluded_because", "label", "created_at"),
        )


class CaptionSerializer(serializers.ModelSerializer[Caption]):
    written_by = serializers.CharField(help_text="A person, a model, or where it comes from.")

    class Meta:
        model = Caption
        fields = (
            *("id", "clip", "kind", "source", "text", "parts", "word_count", "written_by"),
            "created_at",
        )


class LabelSerializer(serializers.ModelSerializer[ActionLabel]):
    counts_as = serializers.PrimaryKeyRelatedField[ActionLabel](
        read_only=True,
        allow_null=True,
        help_text="The label with the same caption that it counts as.",
    )

    class Meta:
        model = ActionLabel
        fields = ("id", "key", "caption", "domain", "event", "counts_as")


class LabelFilters(Filters):
    key = serializers.CharField(required=False, max_length=40)
    domain = serializers.CharField(required=False, max_length=40)
    event = serializers.CharField(required=False)


class VideoFilters(Filters):
    category = serializers.CharField(required=False)
    subcategory = serializers.CharField(required=False)
    split = serializers.ChoiceField(choices=Video.Split.choices, required=False)


class ClipFilters(Filters):
    order = order_field(CLIP_ORDERS)
    q = serializers.CharField(required=False, max_length=200, help_text="Part of the name.")
    category = serializers.CharField(required=False)
    subcategory = serializers.CharField(required=False)
    label = serializers.CharField(required=False, help_text="Key of an action label.")
    length = serializers.ChoiceField(
        choices=list(LENGTHS), required=False, help_text="Under 5 s, 5 to 20 s, or over 20 s."
    )
    stage = serializers.ChoiceField(choices=STAGES, required=False)


class CaptionFilters(Filters):
    clip = serializers.IntegerField(required=False, min_value=1)
    kind = serializers.ChoiceField(choices=Caption.Kind.choices, required=False)
    source = serializers.ChoiceField(choices=Caption.Source.choices, required=False)


class Videos(ApiView):
    tag = "Videos"

    @operation(gives=VideoSerializer, query=VideoFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Video]:
        """List videos."""
        videos = Video.objects.filter(project=access.member(asker, slug).project)
        return videos.filter(**_chosen(self.query, "category", "subcategory", "split"))


class VideoView(ApiView):
    tag = "Videos"

    @operation(gives=VideoSerializer)
    def get(self, asker: UserRequest, slug: str, video_id: int) -> Video:
        """Show a video."""
        return access.video(asker, slug, video_id)


class Playback(ApiView):
    tag = "Videos"

    @operation(gives_file="video/mp4")
    def get(self, asker: UserRequest, slug: str, video_id: int) -> HttpResponseBase:
        """Download a video. Its playback file, whole or by Range."""
        return playback(asker, slug, video_id)


class Clips(ApiView):
    tag = "Clips"

    @operation(gives=ClipSerializer, query=ClipFilters, orders=CLIP_ORDERS)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Clip]:
        """List clips."""
        project = access.member(asker, slug).project
        clips = filter_clips(project, self.query)
        return clips.select_related("video", "label").defer("video__probe", "video__shots")


class ClipView(ApiView):
    tag = "Clips"

    @operation(gives=ClipSerializer)
    def get(self, asker: UserRequest, slug: str, clip_id: int) -> Clip:
        """Show a clip."""
        return access.clip(asker, slug, clip_id)[1]


class Captions(ApiView):
    tag = "Captions"

    @operation(gives=CaptionSerializer, query=CaptionFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Caption]:
        """List captions. Those that the person may read: texts that people write or judge
        independently are left out until then."""
        membership = access.member(asker, slug)
        captions = Caption.objects.filter(project=membership.project).select_related("author")
        chosen = captions.filter(**_chosen(self.query, "clip", "kind", "source"))
        return visible_captions(membership, chosen)


class CaptionView(ApiView):
    tag = "Captions"

    @operation(gives=CaptionSerializer)
    def get(self, asker: UserRequest, slug: str, caption_id: int) -> Caption:
        """Show a caption."""
        membership = access.member(asker, slug)
        captions = Caption.objects.filter(project=membership.project).select_related("author")
        return get_object_or_404(visible_captions(membership, captions.filter(pk=caption_id)))


class Labels(ApiView):
    tag = "Labels"

    @operation(gives=LabelSerializer, query=LabelFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[ActionLabel]:
        """List labels. The actions that clips of a TF-CoVR project show."""
        labels = ActionLabel.objects.filter(project=access.member(asker, slug).project)
        return labels.filter(**_chosen(self.query, "key", "domain", "event"))


class LabelView(ApiView):
    tag = "Labels"

    @operation(gives=LabelSerializer)
    def get(self, asker: UserRequest, slug: str, label_id: int) -> ActionLabel:
        """Show a label."""
        return access.label(asker, slug, label_id)[1]


def _chosen(query: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: query[name] for name in names if name in query}


urlpatterns = [
    path("projects/<slug:slug>/videos/", Videos.as_view(), name="videos"),
    path("projects/<slug:slug>/videos/<int:video_id>/", VideoView.as_view(), name="video"),
    path(
        "projects/<slug:slug>/videos/<int:video_id>/playback.mp4",
        Playback.as_view(),
        name="playback",
    ),
    path("projects/<slug:slug>/clips/", Clips.as_view(), name="clips"),
    path("projects/<slug:slug>/clips/<int:clip_id>/", ClipView.as_view(), name="clip"),
    path("projects/<slug:slug>/captions/", Captions.as_view(), name="captions"),
    path("projects/<slug:slug>/captions/<int:caption_id>/", CaptionView.as_view(), name="caption"),
    path("projects/<slug:slug>/labels/", Labels.as_view(), name="labels"),
    path("projects/<slug:slug>/labels/<int:label_id>/", LabelView.as_view(), name="label"),
]
