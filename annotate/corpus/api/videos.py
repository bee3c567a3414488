"""The API of videos."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.forms.models import model_to_dict
from django.http.response import HttpResponseBase
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.clips_to_do import hide_videos, hides_facts
from annotate.corpus import access as corpus_access
from annotate.corpus.forms import FileFactsForm
from annotate.corpus.services.videos import change_video_facts
from annotate.corpus.views.media import playback
from annotate.models import Clip, Role, Video

TAG = "Videos"


class VideoSerializer(serializers.ModelSerializer[Video]):
    fps = serializers.CharField(help_text="Frames per second, exact: `25` or `30000/1001`.")
    source_url = serializers.CharField()

    class Meta:
        model = Video
        fields = (
            *("id", "original_name", "sha256", "size", "fps", "frames", "width", "height"),
            *("has_audio", "category", "subcategory", "license", "source_url", "cut_from", "split"),
            *("excluded_because", "created_at"),
        )


class VideoFilters(Filters):
    category = serializers.CharField(required=False)
    subcategory = serializers.CharField(required=False)
    split = serializers.ChoiceField(choices=Video.Split.choices, required=False)


class FactsSerializer(serializers.Serializer[Any]):
    """Fields that are left out stay unchanged."""

    category = serializers.CharField(required=False, allow_blank=True, max_length=100)
    subcategory = serializers.CharField(required=False, allow_blank=True, max_length=100)
    license = serializers.CharField(required=False, allow_blank=True, max_length=120)
    source_url = serializers.CharField(required=False, allow_blank=True, max_length=500)


class Videos(ApiView):
    @operation(gives=VideoSerializer, query=VideoFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Video]:
        """List videos."""
        membership = access.member(asker, slug)
        videos = Video.objects.filter(project=membership.project)
        names = ("category", "subcategory", "split")
        chosen = {name: self.query[name] for name in names if name in self.query}
        if chosen and (hidden := hides_facts(membership)):
            to_do = Clip.objects.filter(hidden, video=OuterRef("pk"))
            videos = videos.exclude(Exists(to_do))
        return videos.filter(**chosen)

    def clear_hidden(self, asker: UserRequest, rows: list[Any]) -> None:
        hide_videos(access.member(asker, self.kwargs["slug"]), rows)


class VideoView(ApiView):
    @operation(gives=VideoSerializer)
    def get(self, asker: UserRequest, slug: str, video_id: int) -> Video:
        """Show a video."""
        return corpus_access.video(asker, slug, video_id)

    @operation(gives=VideoSerializer, takes=FactsSerializer, scope=ADMIN)
    def patch(self, asker: UserRequest, slug: str, video_id: int) -> Video:
        """Change the facts of a video. Its category, license and source."""
        access.member(asker, slug, Role.ADMIN)
        video = access.video(asker, slug, video_id)
        facts = model_to_dict(video, FileFactsForm.base_fields)
        form = checked_form(FileFactsForm(facts | self.values))
        return change_video_facts(video=video, admin=asker.user, **form.cleaned_data)


class Playback(ApiView):
    @operation(gives_file=("video/mp4",))
    def get(self, asker: UserRequest, slug: str, video_id: int) -> HttpResponseBase:
        """Download a video. Its playback file, whole or by Range."""
        return playback(asker, slug, video_id)


urlpatterns = [
    path("projects/<slug:slug>/videos/", Videos.as_view(), name="videos"),
    path("projects/<slug:slug>/videos/<int:video_id>/", VideoView.as_view(), name="video"),
    path(
        "projects/<slug:slug>/videos/<int:video_id>/playback.mp4",
        Playback.as_view(),
        name="playback",
    ),
]
