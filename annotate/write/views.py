"""The request of the Write page during typing."""

from __future__ import annotations

from django.http import JsonResponse
from django.views.decorators.http import require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.errors import AnnotateError, WorkInvalid
from annotate.queue.content import read_content
from annotate.responses import error_response, problems_of, read_json
from annotate.write.services import check_write_up


@require_POST
def write_problems(request: UserRequest, assignment_id: int) -> JsonResponse:
    """Return what still keeps the text from being submitted, after a refused submit. JSON in:
    `content`. JSON out: `problems`, as of a submit. Saves nothing."""
    assignment = access.own_assignment(request, assignment_id, "write")
    try:
        check_write_up(read_content(read_json(request).get("content")), assignment.item)
    except WorkInvalid as error:
        return JsonResponse({"problems": problems_of(error)})
    except AnnotateError as error:
        return error_response(error)
    return JsonResponse({"problems": []})
