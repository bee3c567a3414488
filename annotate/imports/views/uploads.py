"""The upload page and what its script asks for: announce a file, send its bytes, cancel."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.corpus.forms import FileFactsForm
from annotate.corpus.queries import facts_in_use
from annotate.errors import AnnotateError
from annotate.imports import services as imports
from annotate.imports.forms import AnnouncedFileForm
from annotate.imports.manifest import ManifestInvalid, read_manifest
from annotate.imports.queries import unfinished_uploads
from annotate.models import ImportItem, Role
from annotate.responses import error_response, read_json


@require_GET
def upload(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    project = membership.project
    context = {
        "membership": membership,
        "project": project,
        "form": FileFactsForm(),
        "in_use": facts_in_use(project),
        "unfinished": unfinished_uploads(project, request.user),
        "extensions": imports.accepted_extensions(),
        "chunk_bytes": settings.VERICAP_CHUNK_BYTES,
        "most_bytes": settings.VERICAP_MAX_VIDEO_BYTES,
    }
    return render(request, "annotate/imports/upload.html", context)


@require_POST
def start_batch(request: UserRequest, slug: str) -> JsonResponse:
    """Start a batch. JSON out: the addresses that take files and show the rows."""
    membership = access.member(request, slug, Role.ADMIN)
    batch = imports.open_batch(project=membership.project, admin=request.user)
    return JsonResponse(
        {
            "id": batch.pk,
            "items": reverse("annotate:add_import_item", args=[slug, batch.pk]),
            "rows": reverse("annotate:import_rows", args=[slug, batch.pk]),
        },
        status=201,
    )


@require_POST
def check_manifest(request: UserRequest, slug: str) -> JsonResponse:
    """Check a manifest. JSON in: the CSV as `text` and the names of the `files`.

    JSON out: the facts of each file, or the problems of the manifest.
    """
    access.member(request, slug, Role.ADMIN)
    try:
        data = read_json(request)
        text, files = data.get("text"), data.get("files")
        if not isinstance(text, str) or not isinstance(files, list):
            raise AnnotateError("The page sent no manifest. Reload it and try again.")
        names = [name for name in files if isinstance(name, str)]
        facts = read_manifest(text.encode(errors="surrogatepass"), names)
    except ManifestInvalid as error:
        # The check succeeded; its result is that there are mistakes.
        return JsonResponse({"facts": {}, "problems": error.problems})
    except AnnotateError as error:
        return error_response(error)
    return JsonResponse({"facts": facts, "problems": []})


@require_POST
def add_item(request: UserRequest, slug: str, batch_id: int) -> JsonResponse:
    """Add a file. JSON in: `name`, `size` and the facts; 422 for invalid facts.

    JSON out: where to send the bytes, or `state` "failed" with the reason on the new row.
    """
    _, batch = access.import_batch(request, slug, batch_id)
    try:
        form = AnnouncedFileForm(read_json(request))
    except AnnotateError as error:
        return error_response(error)
    if not form.is_valid():
        return JsonResponse({"code": "invalid", "message": " ".join(form.problems())}, status=422)
    try:
        item = imports.add_item(batch=batch, **form.cleaned_data)
    except AnnotateError as error:
        return error_response(error)
    return JsonResponse(_described(slug, item), status=201)


@require_GET
def item(request: UserRequest, slug: str, item_id: int) -> JsonResponse:
    """Send how much of an upload has arrived, so that the browser can continue it."""
    _, item = access.import_item(request, slug, item_id)
    return JsonResponse(_described(slug, item))


@require_http_methods(["PUT"])
def put_chunk(request: UserRequest, slug: str, item_id: int) -> JsonResponse:
    """Store a chunk. Bytes in, with the header Upload-Offset. JSON out: the new offset; 409 with
    the right one.
    """
    _, item = access.import_item(request, slug, item_id)
    offset = request.headers.get("Upload-Offset", "")
    length = request.headers.get("Content-Length") or ""
    if not (offset.isascii() and offset.isdigit() and length.isdigit()):
        message = "The header Upload-Offset must say where the bytes belong."
        return JsonResponse({"code": "refused", "message": message}, status=400)
    try:
        if int(length) > settings.VERICAP_CHUNK_BYTES:
            raise imports.TooManyBytes(
                f"Send at most {settings.VERICAP_CHUNK_BYTES:,} bytes at a time."
            )
        item = imports.append_chunk(item=item, offset=int(offset), data=request.body)
    except imports.OffsetMismatch as error:
        reply = {"code": "offset", "message": str(error), "offset": error.offset}
        return JsonResponse(reply, status=409)
    except imports.TooManyBytes as error:
        return JsonResponse({"code": "too_much", "message": str(error)}, status=413)
    except imports.StorageFailed as error:
        return JsonResponse({"code": error.code, "message": str(error)}, status=507)
    except AnnotateError as error:
        return JsonResponse({"code": "ended", "message": str(error)}, status=410)
    return JsonResponse(_described(slug, item))


def _described(slug: str, item: ImportItem) -> dict[str, object]:
    return {
        "id": item.pk,
        "batch": item.batch_id,
        "state": item.state,
        "code": item.code,
        "reason": item.reason,
        "offset": item.received,
        "size": item.size,
        "url": reverse("annotate:import_item", args=[slug, item.pk]),
        "chunks": reverse("annotate:put_chunk", args=[slug, item.pk]),
        "cancel": reverse("annotate:cancel_import", args=[slug, item.pk]),
        "rows": reverse("annotate:import_rows", args=[slug, item.batch_id]),
    }
