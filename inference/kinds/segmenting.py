"""Stores a segmentation: its row, its clips, and the removal of earlier ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from annotate.audit import record_event
from annotate.corpus.clip_names import free_names
from annotate.corpus.services.exclusion import pause_work_on, resume_work_on
from annotate.corpus.services.opening import open_dynamics_check, open_writing, withdraw_untouched
from annotate.file_store import clip_file_name, clip_poster_name, remove_files
from annotate.jobs.services.ending import recount_items
from annotate.models import Clip, Project, User, Video, WorkItem
from annotate.queue.kinds import people_needed
from inference.models import RunItem, Segmentation
from inference.planning.options import SegmentOptions
from inference.queries import whole_clip
from inference.segmentation import Curves, Range, counted, scene_names, tile

BATCH_SIZE = 500


def record_segmentation(
    *,
    item: RunItem,
    options: SegmentOptions,
    cuts: Sequence[int],
    curves: Curves | None,
    excluded_because: str,
    admin: User | None,
) -> str:
    """Store the cuts and make their clips; no clips if the video is excluded.

    Call it in the transaction that marks the item done. Equal clips stay unchanged; clips of an
    earlier segmentation are removed unless somebody works on them or they have a description.
    Returns a short summary.
    """
    # One at a time in a project, for the names of the clips.
    project = Project.objects.select_for_update(no_key=True, of=("self",)).get(jobs=item.run_id)
    video = Video.objects.select_for_update(no_key=True, of=("self",)).get(run_items=item)
    if excluded_because:
        pause_work_on(video.clips.all())
    # Locked, so that nobody takes or describes a clip that is being removed.
    clips = Clip.objects.filter(video=video)
    list(WorkItem.objects.select_for_update().filter(clip__in=clips).values_list("pk"))
    list(clips.select_for_update().values_list("pk"))
    whole = whole_clip(video)
    ranges = [] if excluded_because else tile(cuts, video.frames)
    kept = _remove_earlier(video, whole, ranges)
    made = _make_clips(project, video, whole, ranges)
    by_people = _exclude(video, excluded_because)
    Segmentation.objects.create(
        project=project,
        video=video,
        item=item,
        cuts=list(cuts),
        threshold=options.threshold,
        curve=curves.content.to_bytes() if curves else b"",
        absolute_curve=curves.absolute.to_bytes() if curves else b"",
        means_curve=curves.of_means.to_bytes() if curves else b"",
        step=curves.content.step if curves else 1,
        is_kept=not excluded_because,
        excluded_because=excluded_because,
    )
    _open_work(project, video, whole, ranges)
    record_event(
        actor=admin,
        verb="segment",
        subject=video,
        project=project,
        after={
            "clips": len(ranges),
            "new_clips": made,
            "earlier_clips": kept,
            "excluded_because": excluded_because,
        },
    )
    return _note(len(ranges), kept, excluded_because, by_people)


def _remove_earlier(video: Video, whole: Clip, ranges: Sequence[Range]) -> int:
    """Remove the clips of earlier segmentations that aren't in `ranges` and that nobody has worked
    on, with their model results. Return how many had to stay.
    """
    kept = set(ranges) | {(whole.start_frame, whole.end_frame)}
    earlier: set[Range] = set()
    for cuts in video.segmentations.filter(is_kept=True).values_list("cuts", flat=True):
        earlier |= set(tile(cuts, video.frames))
    earlier -= kept
    clips = Clip.objects.filter(video=video)
    gone = [
        pk
        for pk, *frames in clips.values_list("pk", "start_frame", "end_frame")
        if tuple(frames) in earlier
    ]
    removed = 0
    runs: set[int] = set()
    for start in range(0, len(gone), BATCH_SIZE):
        untouched = _untouched(clips.filter(pk__in=gone[start : start + BATCH_SIZE]))
        of_runs = RunItem.objects.filter(clip__in=untouched).order_by()
        runs |= set(of_runs.values_list("run", flat=True).distinct())
        files = [
            name_of(video, *frames)
            for frames in untouched.values_list("start_frame", "end_frame")
            for name_of in (clip_poster_name, clip_file_name)
        ]
        transaction.on_commit(partial(remove_files, files))
        removed += untouched.delete()[1].get(Clip._meta.label, 0)
    recount_items(runs)
    return len(gone) - removed


def _untouched(clips: QuerySet[Clip]) -> QuerySet[Clip]:
    described = clips.filter(captions__isnull=False).values("pk")
    worked_on = clips.filter(work_items__assignments__isnull=False).values("pk")
    return clips.exclude(pk__in=described).exclude(pk__in=worked_on)


def _make_clips(project: Project, video: Video, whole: Clip, ranges: Sequence[Range]) -> int:
    """Make clips for `ranges` without one."""
    present = set(Clip.objects.filter(video=video).values_list("start_frame", "end_frame"))
    missing = {
        frames: name
        for frames, name in zip(ranges, scene_names(whole.name, len(ranges)), strict=True)
        if frames not in present
    }
    names = free_names(project, list(missing.values()))
    Clip.objects.bulk_create(
        [
            Clip(
                project=project,
                video=video,
                name=name,
                start_frame=first,
                end_frame=end,
                duration_ms=round((end - first) / video.fps * 1000),
            )
            for (first, end), name in zip(missing, names, strict=True)
        ],
        batch_size=BATCH_SIZE,
    )
    return len(missing)


def _exclude(video: Video, because: str) -> bool:
    """Store on the video why it is left out, or that it isn't. Returns True if people had left it
    out, which a run doesn't undo.
    """
    before = video.excluded_because
    if before and not video.segmentations.filter(excluded_because=before).exists():
        return True
    video.excluded_because = because
    video.save(update_fields=["excluded_because"])
    if before and not because:
        resume_work_on(video.clips.all())
    return False


def _open_work(project: Project, video: Video, whole: Clip, ranges: Sequence[Range]) -> None:
    if project.pipeline.opens("write") and ranges:
        clips = [
            clip
            for clip in Clip.objects.filter(video=video).order_by("start_frame")
            if (clip.start_frame, clip.end_frame) in set(ranges)
        ]
        open_writing(clips=clips, writers=people_needed(project, "write"))
        if whole not in clips:  # People write about its parts instead.
            withdraw_untouched(clip=whole, kind="write")
    if project.pipeline.opens("dynamics"):
        if ranges:
            open_dynamics_check(video)
        else:
            withdraw_untouched(clip=whole, kind="dynamics")


def _note(clips: int, kept: int, excluded_because: str, by_people: bool) -> str:
    parts = [f"Left out: {excluded_because}." if excluded_because else f"{counted(clips)}."]
    if by_people:
        parts.append("People left the video out, so it stays left out.")
    if kept:
        overlap = "" if excluded_because else ", overlapping these"
        parts.append(f"Kept for their work or captions: {counted(kept)} of before{overlap}.")
    return " ".join(parts)
