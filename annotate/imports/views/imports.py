"""What came in and what didn't: batches, their rows, and what an admin does about them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, F, Q
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from annotate import access
from annotate.access import UserRequest
from annotate.corpus.near_duplicates import lookalikes
from annotate.errors import AnnotateError
from annotate.imports import services as imports
from annotate.jobs.progress import progress_of
from annotate.jobs.services.queueing import requeue_jobs
from annotate.jobs.workers import last_beats
from annotate.models import ImportBatch, ImportItem, Membership, Role
from annotate.refusals import refusal_shown
from annotate.responses import error_response, wants_json

State = ImportItem.State
BATCHES_PER_PAGE = 50
ROWS_PER_PAGE = 50
# After this long without data from an upload, the page stops polling.
UPLOAD_SILENCE = timedelta(minutes=1)


class ImportRow(NamedTuple):
    """`clip_id`: the newest clip of the file's video. `lookalike`: the name of a similar video of
    the project, while the pair is unsettled."""

    item: ImportItem
    may_retry: bool
    clip_id: int | None
    lookalike: str | None


@require_GET
def imports_list(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.member(request, slug, Role.ADMIN)
    batches = (
        ImportBatch.objects.filter(project=membership.project)
        .select_related("created_by")
        .annotate(
            files=Count("items"),
            done=Count("items", filter=Q(items__state=State.DONE)),
            refused=Count("items", filter=Q(items__state__in=[State.FAILED, State.CANCELLED])),
        )
        .annotate(under_way=F("files") - F("done") - F("refused"))
        .order_by("-id")
    )
    waiting = ImportItem.objects.filter(
        batch__project=membership.project, state__in=[State.WAITING, State.RUNNING]
    )
    context = {
        "membership": membership,
        "project": membership.project,
        "silence": last_beats().silence_in("media") if waiting.exists() else None,
        "page": Paginator(batches, BATCHES_PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "annotate/imports/imports.html", context)


@require_GET
def import_batch(request: UserRequest, slug: str, batch_id: int) -> HttpResponse:
    membership, batch = access.import_batch(request, slug, batch_id)
    return render(
        request, "annotate/imports/import_batch.html", _rows_context(request, membership, batch)
    )


@require_GET
def import_rows(request: UserRequest, slug: str, batch_id: int) -> HttpResponse:
    """Show only the rows, for polling. `uploaded=1` omits files that are still being uploaded."""
    membership, batch = access.import_batch(request, slug, batch_id)
    context = _rows_context(request, membership, batch)
    return render(request, "annotate/imports/import_rows.html", context)


@require_POST
def requeue(request: UserRequest, slug: str, batch_id: int) -> HttpResponse:
    _, batch = access.import_batch(request, slug, batch_id)
    if requeue_jobs(job=batch).jobs:
        messages.success(request, "The import was queued again.")
    else:
        messages.info(request, "A worker has it, or it has ended. Nothing was changed.")
    return redirect("annotate:import_batch", slug, batch_id)


@require_POST
def retry(request: UserRequest, slug: str, item_id: int) -> HttpResponse:
    _, item = access.import_item(request, slug, item_id)
    with refusal_shown(request):
        imports.retry_item(item=item, admin=request.user)
    return redirect("annotate:import_batch", slug, item.batch_id)


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
    return redirect("annotate:import_batch", slug, item.batch_id)


def _rows_context(
    request: UserRequest, membership: Membership, batch: ImportBatch
) -> dict[str, Any]:
    only_uploaded = request.GET.get("uploaded") == "1"
    items = ImportItem.objects.filter(batch=batch).select_related("video")
    if only_uploaded:
        items = items.exclude(state=State.UPLOADING)
    is_moving = Q(state__in=[State.WAITING, State.RUNNING]) | Q(
        state=State.UPLOADING, received_at__gt=timezone.now() - UPLOAD_SILENCE
    )
    summary = ImportItem.objects.filter(batch=batch).aggregate(
        files=Count("pk"),
        done=Count("pk", filter=Q(state=State.DONE)),
        refused=Count("pk", filter=Q(state__in=[State.FAILED, State.CANCELLED])),
        moving=Count("pk", filter=is_moving),
        waiting=Count("pk", filter=Q(state__in=[State.WAITING, State.RUNNING])),
    )
    page = Paginator(items, ROWS_PER_PAGE).get_page(request.GET.get("page"))
    videos = {item.video_id for item in page if item.video_id}
    clip_of = dict(
        batch.project.clips.filter(video__in=videos).order_by("-id").values_list("video_id", "id")
    )
    alike = lookalikes(batch.project, videos)
    rows = [
        ImportRow(
            item,
            imports.may_retry(item),
            clip_of.get(item.video_id or 0),
            alike.get(item.video_id or 0),
        )
        for item in page
    ]
    return {
        "membership": membership,
        "project": membership.project,
        "batch": batch,
        "page": page,
        "rows": rows,
        "summary": summary,
        "finished": summary["done"] + summary["refused"],
        "only_uploaded": only_uploaded,
        "is_abandoned": bool(summary["waiting"]) and progress_of([batch])[batch.pk].is_abandoned,
        "silence": last_beats().silence_in("media") if summary["waiting"] else None,
    }
