"""The videos and clips of a release in LoVR's form, with their paths and captions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from django.db.models import QuerySet

from review.frozen.models import Release, ReleasedScene, ReleasedVideo, scene_id
from review.releases.writers.made import json_line
from review.releases.writers.spans import Spans, spans_column, written_spans
from review.releases.writers.tables import Column

CLIPS = "caption_data/all_clip.jsonl"
VIDEOS = "caption_data/all_video.jsonl"
RECORDS = "caption_data/records.jsonl"
CAP = Column("cap", "text", "The caption")
CAP_SPANS = spans_column("cap")
BATCH_SIZE = 500


class SceneText(NamedTuple):
    """A clip of a release, with its caption."""

    vid: str
    number: int
    start_frame: int
    end_frame: int
    fps: Fraction
    caption: str
    spans: Spans = None

    @property
    def clip_id(self) -> str:
        return scene_id(self.vid, self.number)

    @property
    def path(self) -> str:
        return scene_path(self.vid, self.number)


class VideoText(NamedTuple):
    """The caption of a whole video."""

    caption: str
    spans: Spans = None


Scenes = Callable[[], Iterable[SceneText]]


def offered_videos(release: Release) -> QuerySet[ReleasedVideo]:
    """Return the videos that weren't taken down, in the order in which they were frozen."""
    return release.videos.order_by("pk").exclude(video__in=release.withdrawn.videos)


def offered_scenes(release: Release) -> QuerySet[ReleasedScene]:
    """Return the clips that weren't taken down, in the order in which they were frozen."""
    scenes = ReleasedScene.objects.filter(video__release=release).order_by("pk")
    return scenes.exclude(clip__in=release.withdrawn.clips)


def described_scenes(release: Release) -> QuerySet[ReleasedScene]:
    """Return the scenes whose caption wasn't taken down."""
    return offered_scenes(release).exclude(caption__in=release.withdrawn.captions)


def offered_wholes(release: Release) -> QuerySet[ReleasedVideo]:
    """Return the videos with a caption of the whole video that wasn't taken down."""
    videos = offered_videos(release).filter(full_caption__isnull=False)
    return videos.exclude(full_caption__in=release.withdrawn.captions)


def caption_chunks(
    scenes: Scenes, texts: Mapping[str, VideoText]
) -> dict[str, Callable[[], Iterator[bytes]]]:
    """Return for each file of captions how its lines are made: of the clips, and of the captions of
    whole videos by video, both in the order given."""
    return {
        CLIPS: lambda: (json_line({"path": s.path, **_cap(s)}) for s in scenes()),
        VIDEOS: lambda: (json_line({"vid": vid, **_cap(text)}) for vid, text in texts.items()),
        RECORDS: lambda: (json_line(_record(s, texts.get(s.vid))) for s in scenes()),
    }


def video_path(vid: str) -> str:
    return f"video_data/long_video/{vid}.mp4"


def scene_path(vid: str, number: int) -> str:
    return f"{vid}/{scene_id(vid, number)}.mp4"


def clip_path(path: str) -> str:
    return f"video_data/long_video_clip/{path}"


def _cap(text: SceneText | VideoText) -> dict[str, object]:
    """Return the caption, with its spans if it has timed sentences."""
    return {CAP.name: text.caption, **({CAP_SPANS.name: text.spans} if text.spans else {})}


def _record(scene: SceneText, full: VideoText | None) -> dict[str, object]:
    """Return a line of `records.jsonl`, with the fields of LoVR's README; seconds count from 0."""
    return {
        "video_id": scene.vid,
        "clip_id": scene.clip_id,
        "video_path": video_path(scene.vid),
        "clip_path": clip_path(scene.path),
        "start_time": float(scene.start_frame / scene.fps),
        "end_time": float(scene.end_frame / scene.fps),
        "clip_caption": scene.caption,
        "video_caption": full.caption if full else None,
    }


def scenes_of_release(release: Release) -> Iterator[SceneText]:
    rows = described_scenes(release).values_list(
        "video__vid",
        "number",
        "start_frame",
        "end_frame",
        "video__fps_num",
        "video__fps_den",
        "caption__text",
        "caption__spans",
    )
    for vid, number, start, end, num, den, text, spans in rows.iterator(chunk_size=BATCH_SIZE):
        yield SceneText(vid, number, start, end, Fraction(num, den), text, written_spans(spans))
