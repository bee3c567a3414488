"""The API of what each long video is about."""

from __future__ import annotations

from typing import Any

from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.access import video as video_of
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from inference import access
from inference.models import VideoTheme
from inference.themes.forms import ThemeForm
from inference.themes.services import correct_theme, take_back_theme

TAG = "Videos"


class VideoThemeSerializer(RowSerializer[VideoTheme]):
    theme = serializers.CharField(source="text")

    class Meta:
        model = VideoTheme
        fields = ("video", "theme", "created_at")


class VideoThemeView(ApiView):
    @operation(gives=VideoThemeSerializer, takes=body_of("NewTheme", ThemeForm), scope=ADMIN)
    def put(self, asker: UserRequest, slug: str, video_id: int) -> VideoTheme:
        """Correct the theme of a video. It replaces the model’s."""
        access.admin(asker, slug)
        video = video_of(asker, slug, video_id)
        text = checked_form(ThemeForm(self.typed())).cleaned_data["theme"]
        return correct_theme(video=video, text=text, person=asker.user)

    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, video_id: int) -> Any:
        """Take back the theme of a video. Only a person’s; the model’s is current again."""
        access.admin(asker, slug)
        take_back_theme(video=video_of(asker, slug, video_id), person=asker.user)


urlpatterns = [
    path(
        "projects/<slug:slug>/videos/<int:video_id>/theme/", VideoThemeView.as_view(), name="theme"
    )
]
