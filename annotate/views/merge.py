"""What the Merge page asks for while somebody types."""

from __future__ import annotations

from django.http import Http404, JsonResponse
from django.views.decorators.http import require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.content import merge_rows, read_content
from annotate.errors import AnnotateError
from annotate.models import WorkItem
from annotate.pages.merge import origin_text
from annotate.text.merging import origins_by_row
from annotate.views.responses import error_response, read_json


@require_POST
def origins(request: UserRequest, assignment_id: int) -> JsonResponse:
    """JSON in: `content`. JSON out: per row where its text comes from, by the rule that is stored
    with the caption, and the number of sentences of each part. Nothing is saved."""
    assignment = access.own_assignment(request, assignment_id)
    if assignment.item.kind != WorkItem.Kind.MERGE:
        raise Http404("This work is not a merge.")
    try:
        rows = merge_rows(read_content(read_json(request).get("content")))
    except AnnotateError as error:
        return error_response(error)
    found = origins_by_row(rows)
    return JsonResponse(
        {
            "origins": {
                f"{part}-{number}": origin_text(of_row)
                for part, of_rows in found.items()
                for number, of_row in enumerate(of_rows)
            },
            "sentences": {part: sum(map(len, of_rows)) for part, of_rows in found.items()},
        }
    )
