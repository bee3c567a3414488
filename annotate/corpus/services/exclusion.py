"""Exclude a video from the benchmark and include it again. Everything stored about it stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.db import transaction
from django.db.models import F, QuerySet

from annotate.audit import record_event
from annotate.corpus.exclusions import EXCLUDE, INCLUDE
from annotate.corpus.services.sign_offs import open_sign_offs
from annotate.errors import AnnotateError
from annotate.kinds import kinds_with
from annotate.models import Archived, Assignment, Clip, User, Video, WorkItem
from annotate.models.corpus import MAX_REASON_LENGTH

NOT_BY_HAND = "Only clips of projects whose texts people write"


@transaction.atomic
def withdraw_clip(*, clip: Clip, reason: str, admin: User) -> None:
    """Leave the clip's video out of the benchmark (CaReBench, 3.1), with its work and its captions
    kept. Raises AnnotateError.
    """
    video = _lock_video(clip.video_id)
    reason = " ".join(reason.split())
    if "withdrawals" not in video.project.pipeline.keys:
        raise AnnotateError(f"{NOT_BY_HAND} are withdrawn by hand.")
    if not reason:
        raise AnnotateError("Give a reason, so that others can follow the decision.")
    if len(reason) > MAX_REASON_LENGTH:
        raise AnnotateError(f"Shorten the reason to {MAX_REASON_LENGTH} characters.")
    if video.excluded_because:
        raise AnnotateError(f"It is left out already: {video.excluded_because}")
    exclude_video(video=video, because=reason, actor=admin)


@transaction.atomic
def take_back_clip(*, clip: Clip, admin: User) -> None:
    """Take back a withdrawn clip and its work. Raises AnnotateError."""
    video = _lock_video(clip.video_id)
    if "withdrawals" not in video.project.pipeline.keys:
        raise AnnotateError(f"{NOT_BY_HAND} are taken back by hand.")
    if not video.excluded_because:
        raise AnnotateError("It is in the benchmark already. Nothing was changed.")
    include_video(video=video, actor=admin)
    # The number of sign-offs can have changed in the meantime.
    open_sign_offs(video.project, Clip.objects.filter(video=video))


def exclude_video(
    *, video: Video, because: str, actor: User | None, also: Sequence[str] = ()
) -> None:
    """Exclude the video and pause the work about its captions, and `also` work of these kinds. Call
    it on a locked video.
    """
    _change(video, because, actor, EXCLUDE)
    pause_work_on(video.clips.all(), also)


def include_video(*, video: Video, actor: User, also: Sequence[str] = ()) -> None:
    """Include the video again and resume the work about its captions, and `also` work of these
    kinds. Call it on a locked video.
    """
    _change(video, "", actor, INCLUDE)
    Archived.objects.filter(kind="video", subject=video.pk).delete()
    resume_work_on(video.clips.all(), also)


def exclude_clip(*, clip: Clip, because: str, actor: User, also: Sequence[str] = ()) -> None:
    """Leave one clip of a video out, as `exclude_video` does all. Call it on a locked clip."""
    _change(clip, because, actor, EXCLUDE)
    pause_work_on(Clip.objects.filter(pk=clip.pk), also)


def include_clip(*, clip: Clip, actor: User, also: Sequence[str] = ()) -> None:
    """Include the clip again. Its work waits while its video is excluded. Call it on a locked
    clip.
    """
    _change(clip, "", actor, INCLUDE)
    resume_work_on(Clip.objects.filter(pk=clip.pk), also)


def pause_work_on(clips: QuerySet[Clip], also: Sequence[str] = ()) -> None:
    """Pause the open work about the clips' captions. Drafts stay with their authors, and returned
    work stays with its person.
    """
    keys = list(_work(clips, WorkItem.State.OPEN, also).values_list("pk", flat=True))
    # Assignments before items, as everywhere in the queue.
    active = Assignment.objects.filter(item__in=keys)
    sent_back = active.filter(
        state__in=[Assignment.State.HELD, Assignment.State.RETURNED], returned_by__isnull=False
    )
    list(sent_back.order_by("pk").select_for_update(of=("self",)).values_list("pk"))
    holds = active.filter(state=Assignment.State.HELD, returned_by=None)
    held = list(holds.order_by("pk").select_for_update(of=("self",)).values_list("item", flat=True))
    _lock(keys)
    holds.update(state=Assignment.State.EXPIRED)
    sent_back.update(state=Assignment.State.PAUSED)
    for item, freed in Counter(held).items():
        WorkItem.objects.filter(pk=item).update(open_slots=F("open_slots") + freed)
    WorkItem.objects.filter(pk__in=keys).update(state=WorkItem.State.WAITING)


def resume_work_on(clips: QuerySet[Clip], also: Sequence[str] = ()) -> None:
    """Reopen the work that `pause_work_on` paused; of each clip's steps, only the first. Work on
    clips that are still excluded waits."""
    clips = clips.filter(excluded_because="", video__excluded_because="")
    keys = list(
        _work(clips, WorkItem.State.WAITING, also)
        .filter(kind__in=(*kinds_with("waits_while_left_out"), *also))
        .values_list("pk", flat=True)
    )
    for clip in clips.order_by("pk"):
        keys += _first_waiting_step(clip)
    _lock(keys)
    WorkItem.objects.filter(pk__in=keys).update(state=WorkItem.State.OPEN)
    Assignment.objects.filter(item__in=keys, state=Assignment.State.PAUSED).update(
        state=Assignment.State.RETURNED
    )


def _first_waiting_step(clip: Clip) -> list[int]:
    by_kind: dict[str, list[int]] = {}
    in_order = kinds_with("is_clip_step")
    steps = WorkItem.objects.filter(clip=clip, kind__in=in_order)
    for key, kind, state in steps.order_by("pk").values_list("pk", "kind", "state"):
        if state == WorkItem.State.OPEN:
            return []
        if state == WorkItem.State.WAITING:
            by_kind.setdefault(kind, []).append(key)
    return next((by_kind[kind] for kind in in_order if kind in by_kind), [])


def _work(clips: QuerySet[Clip], state: str, also: Sequence[str]) -> QuerySet[WorkItem]:
    kinds = (*kinds_with("waits_while_left_out"), *kinds_with("is_clip_step"), *also)
    of_clips = clips.order_by().values("pk")
    return WorkItem.objects.filter(clip__in=of_clips, kind__in=kinds, state=state)


def _lock_video(video_id: int) -> Video:
    videos = Video.objects.select_for_update(of=("self",), no_key=True)
    return videos.select_related("project").get(pk=video_id)


def _lock(keys: list[int]) -> None:
    items = WorkItem.objects.filter(pk__in=keys).order_by("pk")
    list(items.select_for_update(of=("self",)).values_list("pk"))


def _change(subject: Video | Clip, because: str, actor: User | None, verb: str) -> None:
    before = subject.excluded_because
    subject.excluded_because = because
    subject.save(update_fields=["excluded_because"])
    record_event(
        actor=actor,
        verb=verb,
        subject=subject,
        project=subject.project,
        before={"excluded_because": before},
        after={"excluded_because": because},
    )
