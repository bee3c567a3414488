"""Send a stored file or a range of it, through the web server in front if possible."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response

PIECE = 256 * 1024
RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


def send_stored(request: HttpRequest, name: str, content_type: str, etag: str) -> HttpResponseBase:
    """Return a reply with the file of this name in the storage. Raises Http404 without one."""
    if not settings.VERICAP_ACCEL_PREFIX:
        return _from_storage(request, name, content_type, etag)
    response = HttpResponse(content_type=content_type)
    response["X-Accel-Redirect"] = settings.VERICAP_ACCEL_PREFIX.rstrip("/") + "/" + quote(name)
    return response


def _from_storage(
    request: HttpRequest, name: str, content_type: str, etag: str
) -> HttpResponseBase:
    try:
        size = default_storage.size(name)
    except OSError as error:
        raise Http404("The file is not in the storage.") from error
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged

    requested = _requested_range(request, etag, size)
    if requested is not None and not requested:
        refused = HttpResponse(status=416, content_type="text/plain")
        refused["Content-Range"] = f"bytes */{size}"
        return refused
    span = requested if requested is not None else range(size)
    content: Iterator[bytes] | tuple[()] = (
        () if request.method == "HEAD" else _read(default_storage.open(name), span)
    )
    response = StreamingHttpResponse(content, content_type=content_type)
    response["Content-Length"] = len(span)
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = etag
    if requested is not None:
        response.status_code = 206
        response["Content-Range"] = f"bytes {span.start}-{span.stop - 1}/{size}"
    return response


def _requested_range(request: HttpRequest, etag: str, size: int) -> range | None:
    """Return the requested bytes: None for the whole file, empty for an unsatisfiable range (RFC
    9110, 14).

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
