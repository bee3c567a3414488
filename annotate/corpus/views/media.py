"""Serve a video's files by its id, only to members of its project or by a signed address, and
never by a path in the request.
"""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

from django.contrib.auth.decorators import login_not_required
from django.core.files.storage import default_storage
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from annotate import access, file_store
from annotate.access import UserRequest
from annotate.corpus.signed_clips import stored_name
from annotate.sending import send_stored


@require_safe
def playback(request: UserRequest, slug: str, video_id: int) -> HttpResponseBase:
    video = access.video(request, slug, video_id)
    return _send(request, video.playback_file, "video/mp4", f"{video.sha256}-p")


@login_not_required  # the signature decides; a model server has no session
@require_safe
def signed_clip(request: HttpRequest, signed: str) -> HttpResponseBase:
    name = stored_name(signed)
    # Its own name would tell the hash of the uploaded file.
    version = hashlib.sha256(name.encode()).hexdigest()[:16]
    response = send_stored(request, name, "video/mp4", f'"{version}"')
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def poster(request: UserRequest, slug: str, clip_id: int) -> HttpResponseBase:
    """Return a frame of the clip, or of its video if the clip has none."""
    _, clip = access.clip(request, slug, clip_id)
    video = clip.video
    name = file_store.clip_poster_name(video, clip.start_frame, clip.end_frame)
    if not default_storage.exists(name):
        name = video.poster_file
    # The name distinguishes the pictures of a video.
    return _send(request, name, "image/jpeg", f"{video.sha256}-{PurePosixPath(name).stem}")


@require_safe
def filmstrip(request: UserRequest, slug: str, video_id: int) -> HttpResponseBase:
    video = access.video(request, slug, video_id)
    return _send(request, video.filmstrip_file, "image/jpeg", f"{video.sha256}-f")


def _send(request: UserRequest, name: str, content_type: str, version: str) -> HttpResponseBase:
    response = send_stored(request, name, content_type, f'"{version}"')
    # A member's browser caches it for an hour; no shared cache stores it.
    response["Cache-Control"] = (
        "private, max-age=3600" if response.status_code < 400 else "no-store"
    )
    return response
