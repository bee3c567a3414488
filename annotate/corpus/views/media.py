"""A video's files, by its id and to members of its project only; never by a path from outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import quote

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from annotate import access, file_store
from annotate.access import UserRequest

PIECE = 256 * 1024
RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


@require_safe
def playback(request: UserRequest, slug: str, video_id: int) -> HttpResponseBase:
    video = access.video(request, slug, video_id)
    return _send(request, video.playback_file, "video/mp4", f"{video.sha256}-p")


@require_safe
def poster(request: UserRequest, slug: str, clip_id: int) -> HttpResponseBase:
    """A frame of the clip; of its video where no picture of the clip was made."""
    _, clip = access.clip(request, slug, clip_id)
    video = clip.video
    name = file_store.clip_poster_name(video, clip.start_frame, clip.end_frame)
    if not default_storage.exists(name):
        name = video.poster_file
    # The name tells the pictures of a video apart.
    return _send(request, name, "image/jpeg", f"{video.sha256}-{PurePosixPath(name).stem}")


@require_safe
def filmstrip(request: UserRequest, slug: str, video_id: int) -> HttpResponseBase:
    video = access.video(request, slug, video_id)
    return _send(request, video.filmstrip_file, "image/jpeg", f"{video.sha256}-f")


def _send(request: UserRequest, name: str, content_type: str, version: str) -> HttpResponseBase:
    if settings.VERICAP_ACCEL_PREFIX:
        response: HttpResponseBase = HttpResponse(content_type=content_type)
        response["X-Accel-Redirect"] = settings.VERICAP_ACCEL_PREFIX.rstrip("/") + "/" + quote(name)
    else:
        response = _from_storage(request, name, content_type, f'"{version}"')
    # Within the hour a member's browser asks again for nothing; no shared cache keeps a copy.
    response["Cache-Control"] = (
        "private, max-age=3600" if response.status_code < 400 else "no-store"
    )
    return response


def _from_storage(
    request: UserRequest, name: str, content_type: str, etag: str
) -> HttpResponseBase:
    try:
        size = default_storage.size(name)
    except OSError as error:
        raise Http404("The file is not in the storage.") from error
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged

    wanted = _wanted_range(request, etag, size)
    if wanted is not None and not wanted:
        refused = HttpResponse(status=416, content_type="text/plain")
        refused["Content-Range"] = f"bytes */{size}"
        return refused
    span = wanted if wanted is not None else range(size)
    content: Iterator[bytes] | tuple[()] = (
        () if request.method == "HEAD" else _read(default_storage.open(name), span)
    )
    response = StreamingHttpResponse(content, content_type=content_type)
    response["Content-Length"] = len(span)
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = etag
    if wanted is not None:
        response.status_code = 206
        response["Content-Range"] = f"bytes {span.start}-{span.stop - 1}/{size}"
    return response


def _wanted_range(request: UserRequest, etag: str, size: int) -> range | None:
    """The bytes asked for: None for the whole file, empty for none that it has (RFC 9110, 14).

    Several ranges at once, and what can't be read as a range, mean the whole file.
    """
    header = request.headers.get("Range", "").replace(" ", "").lower()
    match = RANGE.fullmatch(header)
    if not match or request.headers.get("If-Range", etag) != etag:
        return None
    first, last = match.groups()
    if not first and not last:
        return None
    if not first:
        return range(max(0, size - int(last)), size)
    if last and int(last) < int(first):
        return None
    return range(int(first), min(int(last) + 1, size) if last else size)


def _read(file: File[bytes], span: range) -> Iterator[bytes]:
    with file:
        file.seek(span.start)
        left = len(span)
        while left and (piece := file.read(min(PIECE, left))):
            left -= len(piece)
            yield piece
