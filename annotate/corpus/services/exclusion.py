"""Leave a video out of the benchmark, and bring it back. What is stored about it stays."""

from __future__ import annotations

from collections import Counter

from django.db.models import F, QuerySet

from annotate.audit import record_event
from annotate.models import Assignment, User, Video, WorkItem

# The work about captions, which waits while the video is left out. The write-ups of CaReBench wait
# for each other, and nobody excludes their videos.
WAITS = (
    WorkItem.Kind.HAND,
    WorkItem.Kind.VERIFY,
    WorkItem.Kind.RATE,
    WorkItem.Kind.ELEMENTS,
)


def exclude_video(*, video: Video, because: str, actor: User) -> None:
    """Leave the video out, and let the work about its captions wait. Call it on a locked video."""
    _change(video, because, actor, "exclude")
    pause_work_on(video)


def include_video(*, video: Video, actor: User) -> None:
    """Bring the video back with the work about its captions. Call it on a locked video."""
    _change(video, "", actor, "include")
    resume_work_on(video)


def pause_work_on(video: Video) -> None:
    """Let the open work about the video's captions wait. Drafts stay with their authors."""
    keys = list(_work(video, WorkItem.State.OPEN).values_list("pk", flat=True))
    # Assignments before items, as everywhere in the queue.
    holds = Assignment.objects.filter(item__in=keys, state=Assignment.State.HELD)
    held = list(holds.order_by("pk").select_for_update(of=("self",)).values_list("item", flat=True))
    _lock(keys)
    holds.update(state=Assignment.State.EXPIRED)
    for item, freed in Counter(held).items():
        WorkItem.objects.filter(pk=item).update(open_slots=F("open_slots") + freed)
    WorkItem.objects.filter(pk__in=keys).update(state=WorkItem.State.WAITING)


def resume_work_on(video: Video) -> None:
    """Open the work again that `pause_work_on` let wait."""
    keys = list(_work(video, WorkItem.State.WAITING).values_list("pk", flat=True))
    _lock(keys)
    WorkItem.objects.filter(pk__in=keys).update(state=WorkItem.State.OPEN)


def _work(video: Video, state: str) -> QuerySet[WorkItem]:
    return WorkItem.objects.filter(clip__video=video, kind__in=WAITS, state=state)


def _lock(keys: list[int]) -> None:
    items = WorkItem.objects.filter(pk__in=keys).order_by("pk")
    list(items.select_for_update(of=("self",)).values_list("pk"))


def _change(video: Video, because: str, actor: User, verb: str) -> None:
    before = video.excluded_because
    video.excluded_because = because
    video.save(update_fields=["excluded_because"])
    record_event(
        actor=actor,
        verb=verb,
        subject=video,
        project=video.project,
        before={"excluded_because": before},
        after={"excluded_because": because},
    )
