"""Responses of several pages: JSON with a code to act on and a sentence to show for the scripts of
work pages, files to save, and redirects to lists."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.urls import reverse

from annotate.errors import (
    AnnotateError,
    DraftConflict,
    LeaseLost,
    WorkInvalid,
    WorkWithdrawn,
)

CONTENT_TYPES = {
    "sha256": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "svg": "image/svg+xml",
    "tex": "application/x-tex; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "zip": "application/zip",
}


def wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def read_json(request: HttpRequest) -> dict[str, Any]:
    """Return the request's JSON object. Raises AnnotateError if it is something else."""
    try:
        data = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise AnnotateError("The page sent something unreadable. Reload it.") from error
    if not isinstance(data, dict):
        raise AnnotateError("The page sent something unreadable. Reload it.")
    return data


def back_to_list(request: HttpRequest, name: str, *args: object) -> HttpResponseRedirect:
    """Redirect to the page of this name with the filters and the page of its list, which the
    address of its form repeats."""
    query = request.GET.urlencode()
    return HttpResponseRedirect(f"{reverse(name, args=args)}{query and f'?{query}'}")


def file_to_save(content: str | Iterator[str] | Iterator[bytes], name: str) -> HttpResponseBase:
    """Return a file of the type that its name ends in; pieces are sent as they come."""
    make = HttpResponse if isinstance(content, str) else StreamingHttpResponse
    response = make(content, content_type=CONTENT_TYPES[name.rpartition(".")[2]])
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def error_response(error: AnnotateError) -> JsonResponse:
    match error:
        case DraftConflict():
            stored = error.assignment
            return JsonResponse(
                {
                    "code": "conflict",
                    "message": str(error),
                    "version": stored.draft_version,
                    "content": stored.draft,
                    "saved_at": stored.draft_saved_at,
                },
                status=409,
            )
        case WorkWithdrawn():
            return JsonResponse({"code": "withdrawn", "message": str(error)}, status=410)
        case LeaseLost():
            return JsonResponse({"code": "lease_lost", "message": str(error)}, status=410)
        case WorkInvalid():
            return JsonResponse(
                {"code": "invalid", "message": str(error), "problems": problems_of(error)},
                status=422,
            )
    return JsonResponse({"code": "refused", "message": str(error)}, status=400)


def problems_of(error: WorkInvalid) -> list[dict[str, str]]:
    return [{"field": problem.field, "message": problem.message} for problem in error.problems]
