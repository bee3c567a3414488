"""Names of videos and their clips in a release in LoVR's form."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotate.corpus.pieces import pieces_of
from annotate.models import Clip, Project
from annotate.text.file_names import is_reserved_name
from inference.models import Segmentation
from review.frozen.models import scene_id

# LoVR's code takes a name with this word for a clip's.
CLIP_MARK = re.compile("scene", re.IGNORECASE)
UNSAFE = re.compile(r"[^\w-]+")


def released_names(project: Project) -> dict[str, int]:
    """Return the clips, and the whole videos, by the names that a release gives them."""
    names = video_names(project)
    wholes = Clip.objects.filter(project=project, start_frame=0, end_frame=F("video__frames"))
    clips = {names[video]: clip for video, clip in wholes.values_list("video_id", "pk")}
    scenes = of_segmented(project, pieces_of(project)).order_by()
    numbers = scene_numbers(project)
    return clips | {
        scene_id(names[video], numbers[clip]): clip
        for clip, video in scenes.values_list("pk", "video_id")
        if video in names
    }


def scene_numbers(project: Project) -> dict[int, int]:
    """Return clip -> its place in time among all clips of its video, described or not, from 1. So a
    clip keeps its number when another one gets a description."""
    places: dict[int, int] = defaultdict(int)
    numbers = {}
    rows = of_segmented(project, pieces_of(project)).order_by(
        "video_id", "start_frame", "end_frame"
    )
    for clip, video in rows.values_list("pk", "video_id"):
        places[video] += 1
        numbers[clip] = places[video]
    return numbers


def video_names(project: Project) -> dict[int, str]:
    """Return video -> its name in a release: that of its whole clip, safe as a file name, unique in
    the project and without the word that marks clips in LoVR's code. Excluded videos have a name
    too, so that excluding one changes no other name."""
    wholes = Clip.objects.filter(project=project, start_frame=0, end_frame=F("video__frames"))
    return unique_names(wholes.order_by("video_id").values_list("video_id", "name"))


def unique_names(videos: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return key -> a safe name. The first of several equal names keeps it; the others end in their
    key. Names count as equal if some file systems treat them so."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for key, text in videos:
        plain = UNSAFE.sub("_", unicodedata.normalize("NFC", text)).strip("_")
        name = CLIP_MARK.sub("part", plain) or f"video-{key}"
        if is_reserved_name(name):
            name = f"{name}-{key}"
        while name.casefold() in taken:
            name = f"{name}-{key}"
        taken.add(name.casefold())
        names[key] = name
    return names


def of_segmented(project: Project, clips: QuerySet[Clip]) -> QuerySet[Clip]:
    """Where the protocol cuts videos, leave out the clip of a video that no run has cut: it is the
    video's only part, and not a scene.
    """
    if "segment" not in project.pipeline.keys:
        return clips
    whole = Q(start_frame=0, end_frame=F("video__frames"))
    segmented = Segmentation.objects.filter(video=OuterRef("video"), is_kept=True)
    return clips.exclude(whole & ~Exists(segmented))
