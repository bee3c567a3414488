"""What a release in LoVR's form would hold: the described clips of segmented videos."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotate.corpus.clip_stages import described
from annotate.corpus.pieces import pieces_of
from annotate.corpus.precedence import current_captions, only_outdated
from annotate.models import Caption, Clip, Project
from inference.models import Segmentation
from inference.queries import captions_in_force, clips_to_describe

# LoVR's code takes a name with this word for that of a clip.
CLIP_MARK = re.compile("scene", re.IGNORECASE)
UNSAFE = re.compile(r"[^\w-]+")


class Scene(NamedTuple):
    """A described clip of a segmented video, with the caption that a release would freeze now."""

    video_id: int
    start_frame: int
    end_frame: int
    clip_id: int
    name: str
    licence: str
    caption_id: int


def scene_clips(project: Project) -> QuerySet[Clip]:
    """The clips that segmented videos are cut into and that have a caption and don't wait to be
    written by hand. None of an excluded video."""
    return _of_segmented(described(clips_to_describe(project)))


def scenes_of(project: Project) -> list[Scene]:
    """The described clips, in the order of their videos' keys and of time. One statement."""
    rows = (
        current_captions(scene_clips(project))
        .order_by("clip__video_id", "clip__start_frame", "clip__end_frame")
        .values_list(
            "clip__video_id",
            "clip__start_frame",
            "clip__end_frame",
            "clip_id",
            "clip__name",
            "clip__video__licence",
            "pk",
        )
    )
    return [Scene(*row) for row in rows]


def scene_numbers(project: Project) -> dict[int, int]:
    """Clip -> its place in time among all clips of its video, described or not, from 1. So a clip
    keeps its number when another one is described."""
    places: dict[int, int] = defaultdict(int)
    numbers = {}
    rows = _of_segmented(pieces_of(project)).order_by("video_id", "start_frame", "end_frame")
    for clip, video in rows.values_list("pk", "video_id"):
        places[video] += 1
        numbers[clip] = places[video]
    return numbers


def full_captions(project: Project) -> dict[int, int]:
    """Video -> the caption of the whole video, of those whose caption is up to date."""
    current = captions_in_force(project, Caption.Kind.FULL_VIDEO)
    outdated = only_outdated(current).values("pk")
    rows = current.exclude(pk__in=outdated)
    return dict(rows.order_by().values_list("clip__video_id", "pk"))


def video_names(project: Project) -> dict[int, str]:
    """Video -> its name in a release: that of its whole clip, safe as a file name, unique in the
    project and without the word by which LoVR's code knows a clip. Excluded videos have one too, so
    that no other name changes when a video is left out."""
    wholes = Clip.objects.filter(project=project, start_frame=0, end_frame=F("video__frames"))
    return unique_names(wholes.order_by("video_id").values_list("video_id", "name"))


def unique_names(videos: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Key -> a safe name. The first of several equal names keeps it; the others end in their key.
    Names are equal that some file systems take for one."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for key, text in videos:
        plain = UNSAFE.sub("_", unicodedata.normalize("NFC", text)).strip("_")
        name = CLIP_MARK.sub("part", plain) or f"video-{key}"
        while name.casefold() in taken:
            name = f"{name}-{key}"
        taken.add(name.casefold())
        names[key] = name
    return names


def _of_segmented(clips: QuerySet[Clip]) -> QuerySet[Clip]:
    """A video that no run has cut is its own only piece, and no scene."""
    whole = Q(start_frame=0, end_frame=F("video__frames"))
    segmented = Segmentation.objects.filter(video=OuterRef("video"), is_kept=True)
    return clips.exclude(whole & ~Exists(segmented))
