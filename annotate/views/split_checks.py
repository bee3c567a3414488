"""The Stage-II checks of what is typed now, for the page that asks while somebody writes."""

from __future__ import annotations

from django.http import Http404, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.content import read_content
from annotate.errors import AnnotateError
from annotate.models import WorkItem
from annotate.pages.split_warnings import shown_warnings
from annotate.queries import merged_caption, split_neighbours
from annotate.views.responses import error_response, read_json


@require_POST
def split_checks(request: UserRequest, assignment_id: int) -> HttpResponse:
    """JSON in: `content`. JSON out: per field the warnings as HTML (split_warnings.html)."""
    assignment = access.own_assignment(request, assignment_id)
    if assignment.item.kind != WorkItem.Kind.SPLIT:
        raise Http404("Only a split has these checks.")
    clip = assignment.item.clip
    try:
        content = read_content(read_json(request).get("content"))
        merged = merged_caption(clip)
        if merged is None:
            raise AnnotateError("There is no merged text to check against.")
    except AnnotateError as error:
        return error_response(error)
    shown = shown_warnings(clip, merged, content, split_neighbours(clip))
    partial = "annotate/partials/split_warnings.html"
    html = {
        name: render_to_string(partial, {"name": name, **found}) for name, found in shown.items()
    }
    return JsonResponse({"html": html})
