"""The verifications of a project's captions."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest, own_assignment
from annotate.errors import AnnotateError
from annotate.lists.pages import default_address, list_menu
from annotate.models import SavedView
from annotate.queue.content import read_content
from annotate.responses import error_response, read_json
from review import access
from review.reports.sections import sections_of
from review.verification import access as verification_access
from review.verification.pages import (
    COLUMNS,
    verification_context,
    verifications_context,
)
from review.verification.services import correction_changes

VIEWS = SavedView.ListName.VERIFICATIONS


@require_POST
def verify_changes(request: UserRequest, assignment_id: int) -> JsonResponse:
    """Take JSON with `content`; return JSON with the corrected caption as HTML
    (verify_rebuilt.html). Nothing is saved.
    """
    assignment = own_assignment(request, assignment_id, "verify")
    try:
        content = read_content(read_json(request).get("content"))
        changes, tags = correction_changes(assignment.item, content, request.user)
    except AnnotateError as error:
        return error_response(error)
    partial = "review/verification/verify_rebuilt.html"
    return JsonResponse({"html": render_to_string(partial, {"changes": changes, "pre_tags": tags})})


@require_GET
def verifications(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    if default := default_address(membership, VIEWS, request.GET):
        return redirect(default)
    context = verifications_context(membership, request.GET)
    context["added"] = sections_of("verifications", membership, request.GET, context)
    context |= list_menu(membership, VIEWS, request, columns=COLUMNS)
    return render(request, "review/verification/verifications.html", context)


@require_GET
def verification(request: UserRequest, slug: str, verification_id: int) -> HttpResponse:
    membership, verification = verification_access.verification(request, slug, verification_id)
    context = verification_context(membership, verification, request.GET.get("page"))
    return render(request, "review/verification/verification.html", context)
