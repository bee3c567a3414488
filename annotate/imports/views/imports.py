"""Views of imports: batches, their rows, and an admin's actions on them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.errors import AnnotateError
from annotate.imports import services as imports
from annotate.imports.pages import imports_context, rows_context
from annotate.jobs.services.queueing import requeue_jobs
from annotate.models import ImportItem, Role
from annotate.refusals import refusal_shown
from annotate.responses import back_to_list, error_response, wants_json

State = ImportItem.State


@require_GET
def imports_list(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    context = imports_context(membership, request.GET.get("page"))
    return render(request, "annotate/imports/imports.html", context)


@require_GET
def import_batch(request: UserRequest, slug: str, batch_id: int) -> HttpResponse:
    membership, batch = access.import_batch(request, slug, batch_id)
    context = rows_context(membership, batch, request.GET)
    return render(request, "annotate/imports/import_batch.html", context)


@require_GET
def import_rows(request: UserRequest, slug: str, batch_id: int) -> HttpResponse:
    """Show only the rows, for polling. `uploaded=1` omits files that are still being uploaded."""
    membership, batch = access.import_batch(request, slug, batch_id)
    context = rows_context(membership, batch, request.GET)
    return render(request, "annotate/imports/import_rows.html", context)


@require_POST
def requeue(request: UserRequest, slug: str, batch_id: int) -> HttpResponse:
    _, batch = access.import_batch(request, slug, batch_id)
    if requeue_jobs(job=batch).jobs:
        messages.success(request, "The import was queued again.")
    else:
        messages.info(request, "A worker is processing it, or it has ended. Nothing was changed.")
    return redirect("annotate:import_batch", slug, batch_id)


@require_POST
def retry(request: UserRequest, slug: str, item_id: int) -> HttpResponse:
    _, item = access.import_item(request, slug, item_id)
    with refusal_shown(request):
        imports.retry_item(item=item, admin=request.user)
    return back_to_list(request, "annotate:import_batch", slug, item.batch_id)


@require_POST
def cancel(request: UserRequest, slug: str, item_id: int) -> HttpResponse:
    _, item = access.import_item(request, slug, item_id)
    try:
        imports.cancel_item(item=item)
    except AnnotateError as error:
        if wants_json(request):
            return error_response(error)
        messages.error(request, str(error))
    if wants_json(request):
        return JsonResponse({"state": State.FAILED})
    return back_to_list(request, "annotate:import_batch", slug, item.batch_id)
