"""The view of one video: its facts, its cuts, and why it is excluded."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import UserRequest
from annotate.corpus import access
from inference.videos.pages import video_context


@require_GET
def video(request: UserRequest, slug: str, video_id: int) -> HttpResponse:
    membership, video = access.opened_video(request, slug, video_id)
    video.project = membership.project
    context = {
        "membership": membership,
        "project": membership.project,
        **video_context(membership, video, request.GET.get("difference", "")),
    }
    return render(request, "inference/videos/video.html", context)
