"""The imports of a project, and the rows of one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TypedDict, cast

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from annotate.models import Clip, ImportBatch, ImportItem, Project, User
from annotate.models.imports import DISMISSED, DUPLICATE, SETTLED

State = ImportItem.State
# After this long without data from an upload, the page stops polling.
UPLOAD_SILENCE = timedelta(minutes=1)
MAX_UNFINISHED = 50
_REFUSED = Q(state__in=[State.FAILED, State.CANCELLED])
_WAITING = Q(state__in=[State.WAITING, State.RUNNING])


class Summary(TypedDict):
    """Numbers of files. `copies`: of files that the project had already. `refused`: without those,
    those `dismissed`, and those `replaced` by a later import under the same name. `moving`: waiting
    for a worker, or being uploaded now."""

    files: int
    done: int
    copies: int
    refused: int
    dismissed: int
    replaced: int
    moving: int
    waiting: int


def batches_of(project: Project) -> QuerySet[ImportBatch]:
    """Return the imports, newest first, each with its `files`, those `done`, `refused` and
    `under_way`, and the `copies` of files that the project had already.
    """
    return (
        ImportBatch.objects.filter(project=project)
        .select_related("created_by")
        .annotate(
            files=Count("items"),
            done=Count("items", filter=Q(items__state=State.DONE)),
            copies=Count("items", filter=Q(items__code=DUPLICATE)),
            failed=Count("items", filter=Q(items__state__in=[State.FAILED, State.CANCELLED])),
        )
        .annotate(refused=F("failed") - F("copies"))
        .annotate(under_way=F("files") - F("done") - F("failed"))
        .order_by("-id")
    )


def waits_for_worker(project: Project) -> bool:
    return ImportItem.objects.filter(_WAITING, batch__project=project).exists()


def rows_of(batch: ImportBatch, *, only_uploaded: bool = False) -> QuerySet[ImportItem]:
    """Return the files of an import, or only those that have arrived here."""
    items = ImportItem.objects.filter(batch=batch).select_related("video")
    return items.exclude(state=State.UPLOADING) if only_uploaded else items


def summary_of(batch: ImportBatch) -> Summary:
    is_moving = _WAITING | Q(state=State.UPLOADING, received_at__gt=timezone.now() - UPLOAD_SILENCE)
    later = ImportItem.objects.filter(
        batch__project=batch.project_id, name=OuterRef("name"), pk__gt=OuterRef("pk")
    )
    dismissed = Q(code=DISMISSED)
    replaced = Q(state=State.FAILED) & ~Q(code__in=SETTLED) & Q(Exists(later))
    summary = ImportItem.objects.filter(batch=batch).aggregate(
        files=Count("pk"),
        done=Count("pk", filter=Q(state=State.DONE)),
        copies=Count("pk", filter=Q(code=DUPLICATE)),
        refused=Count("pk", filter=_REFUSED & ~Q(code__in=[DISMISSED, DUPLICATE]) & ~replaced),
        dismissed=Count("pk", filter=dismissed),
        replaced=Count("pk", filter=replaced),
        moving=Count("pk", filter=is_moving),
        waiting=Count("pk", filter=_WAITING),
    )
    return cast(Summary, summary)


def later_imports(project: Project, items: Iterable[ImportItem]) -> dict[int, int]:
    """Return the newest import of each file that was imported again under its name."""
    names = {item.name for item in items}
    rows = ImportItem.objects.filter(batch__project=project, name__in=names).order_by("pk")
    newest = {name: (key, batch) for name, key, batch in rows.values_list("name", "pk", "batch")}
    return {item.pk: newest[item.name][1] for item in items if newest[item.name][0] > item.pk}


def first_clips(project: Project, videos: set[int]) -> dict[int, Clip]:
    """Return each video's first clip."""
    clips = project.clips.filter(video__in=videos).order_by("-id")
    return {clip.video_id: clip for clip in clips}


def unfinished_uploads(project: Project, person: User) -> QuerySet[ImportItem]:
    """Return the unfinished uploads of the person, newest first."""
    items = ImportItem.objects.filter(
        batch__project=project, batch__created_by=person, state=State.UPLOADING
    )
    return items.order_by("-received_at")[:MAX_UNFINISHED]
