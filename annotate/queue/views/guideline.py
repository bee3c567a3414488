"""The request of a work page that has shown its guideline."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.errors import AnnotateError
from annotate.guidelines.seen import record_seen
from annotate.responses import error_response, read_json


@require_POST
def guideline_seen(request: UserRequest, assignment_id: int) -> HttpResponse:
    """Record that the guideline was shown. JSON in: its `version`. JSON out: `is_current`."""
    assignment = access.own_assignment(request, assignment_id)
    try:
        version = read_json(request).get("version")
    except AnnotateError as error:
        return error_response(error)
    is_current = record_seen(
        membership=assignment.membership, kind=assignment.item.kind, version=str(version)
    )
    return JsonResponse({"is_current": is_current})
