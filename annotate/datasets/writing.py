"""A project's labeled clips in the plain form, which `plain` and `label_files` read again."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from annotate.corpus.labels import labelled_clips
from annotate.datasets.rows import source_name
from annotate.models import ActionLabel, Clip, Project

MICRO = 1_000_000
FRAMES = ("first_frame", "end_frame")
SECONDS = ("start", "end")


def clip_rows(project: Project) -> Iterator[dict[str, str | int]]:
    """A row a clip, by video and frame, with the split of its source video.

    Frames are those of the source; where its frame rate varies they are told in seconds. A file
    that was cut from a long video is a clip without either.
    """
    clips = labelled_clips(project).select_related("video", "label").defer("video__shots")
    for clip in clips.order_by("video__original_name", "video_id", "start_frame").iterator():
        video = clip.video
        assert clip.label is not None
        yield {
            "source_video": source_name(video.cut_from, video.original_name),
            "clip": clip.name,
            "label": clip.label.key,
            **_span(clip),
            "split": video.split,
        }


def label_rows(project: Project) -> Iterator[dict[str, str]]:
    labels = ActionLabel.objects.filter(project=project).order_by("id")
    columns = ("key", "caption", "domain", "event")
    for key, caption, domain, event in labels.values_list(*columns):
        yield {"label": key, "caption": caption, "source": domain, "event": event}


def place_in_source(clip: Clip) -> dict[str, str | int]:
    """`start` and `end` in seconds, and where the frame rate is constant `first_frame` and
    `end_frame`; nothing of a file that was cut from a long video."""
    video = clip.video
    if video.cut_from:
        return {}
    seconds: dict[str, str | int] = {
        "start": _seconds(clip.start_frame / video.fps),
        "end": _seconds(clip.end_frame / video.fps),
    }
    if video.probe.get("variable_frame_rate"):
        return seconds
    return {"first_frame": clip.start_frame, "end_frame": clip.end_frame, **seconds}


def _span(clip: Clip) -> dict[str, str | int]:
    """The reader takes frames or seconds, never both."""
    place = place_in_source(clip)
    columns = FRAMES if "first_frame" in place else SECONDS
    return {column: place[column] for column in columns if column in place}


def _seconds(time: Fraction) -> str:
    """Rounded down, so that the frame at this time is still the first one that begins from then
    on."""
    whole, rest = divmod(time.numerator * MICRO // time.denominator, MICRO)
    return f"{whole}.{rest:06}"
