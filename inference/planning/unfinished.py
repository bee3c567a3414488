"""Captions that still wait for people, which a fuse run would join too early."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from annotate.models import Clip, Project
from annotate.queue.caption_work import caption_work
from inference.queries import whole_videos
from inference.words import counted


@dataclass(frozen=True)
class Unfinished:
    """The number of clip captions, and of their videos, that wait for verification or
    hand-writing.
    """

    captions: int = 0
    videos: int = 0

    def __bool__(self) -> bool:
        return bool(self.captions)

    @property
    def sentence(self) -> str:
        captions = counted(self.captions, ("caption", "captions"))
        videos = counted(self.videos, ("video", "videos"))
        wait = "waits" if self.captions == 1 else "wait"
        return (
            f"{captions} of {videos} still {wait} for people. The full-video captions of these "
            "videos will be outdated as soon as they are done."
        )


NONE_UNFINISHED = Unfinished()


def unfinished_captions(project: Project, videos: Collection[int]) -> Unfinished:
    """Count captions that a fuse run over these videos would join too early. Reads no caption."""
    waiting = caption_work(project).clips
    if not waiting:
        return NONE_UNFINISHED
    clips = Clip.objects.filter(project=project).order_by().values_list("pk", "video")
    # The verification of a full-video caption doesn't matter, because that caption isn't joined.
    wholes = set(whole_videos(project).values_list("pk", flat=True))
    unfinished = [
        video for clip, video in clips if video in videos and clip in waiting and clip not in wholes
    ]
    return Unfinished(len(unfinished), len(set(unfinished)))
