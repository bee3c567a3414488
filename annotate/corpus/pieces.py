"""The clips of the benchmark, and the clips that are excluded from it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotate.corpus.clip_limits import too_small
from annotate.models import Caption, Clip, Project, Video

KEPT = Q(video__excluded_because="", excluded_because="")


@dataclass(frozen=True)
class LeftOut:
    """Excluded clips with the number of their videos, and the clips that are too short or too
    small."""

    videos: int
    clips: int
    too_small: int

    def __bool__(self) -> bool:
        return bool(self.videos or self.too_small)


def pieces_of(project: Project) -> QuerySet[Clip]:
    """Return the parts of each video if it is cut, else the whole video; none of an excluded
    video.
    """
    return (
        _without_cut_wholes(Clip.objects.filter(KEPT, project=project))
        .select_related("video")
        .defer("video__probe", "video__shots", "video__filmstrip")
    )


def clips_in_benchmark(project: Project) -> QuerySet[Clip]:
    """Return `pieces_of` the videos that are long and large enough. Where labels describe the
    clips, as in TF-CoVR, they can have any length."""
    pieces = pieces_of(project)
    if "clip_limits" not in project.pipeline.keys:
        return pieces
    return pieces.exclude(too_small(project))


def left_out(project: Project) -> LeftOut:
    """Count what `clips_in_benchmark` leaves out."""
    excluded = _without_cut_wholes(Clip.objects.filter(project=project).exclude(KEPT))
    counts = excluded.aggregate(videos=Count("video", distinct=True), clips=Count("pk"))
    small = 0
    if "clip_limits" in project.pipeline.keys:
        small = pieces_of(project).filter(too_small(project)).count()
    return LeftOut(**counts, too_small=small)


def other_clips() -> QuerySet[Clip]:
    """Return the other clips of an outer clip's video."""
    return Clip.objects.filter(video=OuterRef("video")).exclude(pk=OuterRef("pk"))


def left_out_clips(project: Project) -> QuerySet[Clip]:
    """Return the excluded clips and the clips of excluded videos. They are usually few, so exclude
    them by key."""
    excluded = Video.objects.filter(project=project).exclude(excluded_because="")
    of_videos = Q(video__in=excluded.values("pk"))
    return Clip.objects.filter(of_videos | ~Q(excluded_because=""), project=project)


def left_out_captions(project: Project) -> QuerySet[Caption]:
    """Return the captions of excluded videos and clips."""
    return Caption.objects.filter(clip__in=left_out_clips(project).values("pk")).order_by()


def _without_cut_wholes(clips: QuerySet[Clip]) -> QuerySet[Clip]:
    is_whole = Q(start_frame=0, end_frame=F("video__frames"))
    return clips.exclude(is_whole & Q(Exists(other_clips())))
