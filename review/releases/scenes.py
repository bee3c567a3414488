"""The content of a release in LoVR's form: the described clips of segmented videos."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import QuerySet

from annotate.corpus.clip_stages import described
from annotate.corpus.precedence import current_captions, only_outdated
from annotate.models import Caption, Clip, Project
from inference.queries import clips_to_describe, current_captions_of
from review.frozen.scene_names import of_segmented


class Scene(NamedTuple):
    """A described clip of a segmented video, with the caption that a release would freeze now."""

    video_id: int
    start_frame: int
    end_frame: int
    clip_id: int
    name: str
    license: str
    caption_id: int


def scene_clips(project: Project) -> QuerySet[Clip]:
    """Return the clips of segmented videos that have a caption and don't wait to be written by
    hand; none of an excluded video."""
    return of_segmented(project, described(clips_to_describe(project)))


def scenes_of(project: Project) -> list[Scene]:
    """Return the described clips, ordered by their videos' keys and by time. One statement."""
    rows = (
        current_captions(scene_clips(project))
        .order_by("clip__video_id", "clip__start_frame", "clip__end_frame")
        .values_list(
            "clip__video_id",
            "clip__start_frame",
            "clip__end_frame",
            "clip_id",
            "clip__name",
            "clip__video__license",
            "pk",
        )
    )
    return [Scene(*row) for row in rows]


def full_captions(project: Project) -> dict[int, int]:
    """Return video -> its up-to-date caption of the whole video."""
    current = current_captions_of(project, Caption.Kind.FULL_VIDEO)
    outdated = only_outdated(current).values("pk")
    rows = current.exclude(pk__in=outdated)
    return dict(rows.order_by().values_list("clip__video_id", "pk"))
