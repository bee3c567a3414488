"""Cut videos and captions of so many words, for tests."""

from __future__ import annotations

from annotate.models import Caption, Clip, Project
from tests.cast import make_clip, make_video


def caption(clip: Clip, words: int, source: str = "machine", kind: str = "general") -> Caption:
    return Caption.objects.create(
        project_id=clip.project_id,
        clip=clip,
        kind=kind,
        source=source,
        text="word " * words,
        word_count=words,
    )


def cut(project: Project, *frames: int, **fields) -> list[Clip]:
    """The clips of a new video at 25 frames a second, each of so many frames."""
    video = make_video(project, frames=sum(frames), **fields)
    starts = [sum(frames[:place]) for place in range(len(frames))]
    return [
        make_clip(project, video=video, start_frame=start, end_frame=start + length)
        for start, length in zip(starts, frames, strict=True)
    ]
