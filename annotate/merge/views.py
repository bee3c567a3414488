"""The requests of the Merge page during typing."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.errors import AnnotateError
from annotate.merge.pages import origin_text
from annotate.merge.services import send_back_write_up
from annotate.queue.content import merge_rows, read_content
from annotate.queue.views.plain import keep_typed, work_page_again
from annotate.responses import error_response, read_json
from annotate.text.merging import origins_by_row
from annotate.text.storable import storable


@require_POST
def origins(request: UserRequest, assignment_id: int) -> JsonResponse:
    """Return the origins of the current rows. JSON in: `content`. JSON out: per row the source of
    its text, by the rule that is stored with the caption, and the number of sentences of each part.
    Saves nothing."""
    access.own_assignment(request, assignment_id, "merge")
    try:
        rows = merge_rows(read_content(read_json(request).get("content")))
    except AnnotateError as error:
        return error_response(error)
    by_row = origins_by_row(rows)
    return JsonResponse(
        {
            "origins": {
                f"{part}-{number}": origin_text(of_row)
                for part, of_rows in by_row.items()
                for number, of_row in enumerate(of_rows)
            },
            "sentences": {part: sum(map(len, of_rows)) for part, of_rows in by_row.items()},
        }
    )


@require_POST
def send_back(request: UserRequest, assignment_id: int, caption_id: int) -> HttpResponse:
    """Return one write-up to its author, from the merge page. Takes JSON with `send_back_comment`,
    or with it the form of the work, which is saved.
    """
    assignment = access.own_hold(request, assignment_id)
    is_json = request.content_type == "application/json"
    if not is_json and (both_texts := keep_typed(request, assignment)):
        return both_texts
    try:
        typed = read_json(request) if is_json else request.POST
        send_back_write_up(
            merge_assignment_id=assignment.pk,
            expert=request.user,
            caption_id=caption_id,
            comment=storable(str(typed.get("send_back_comment", ""))),
        )
    except AnnotateError as error:
        if is_json:
            return error_response(error)
        messages.error(request, str(error))
        return work_page_again(request, assignment)
    messages.success(request, "Sent back with your comment. Your merge waits here as you left it.")
    target = reverse("annotate:work", args=[assignment.pk])
    return JsonResponse({"next": target}) if is_json else redirect(target)
