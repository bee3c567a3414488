"""Write a project's labeled clips in the plain format, which `plain` and `label_files` read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from annotate.corpus.labels import labeled_clips
from annotate.datasets.rows import source_name
from annotate.models import ActionLabel, Clip, Project

MICRO = 1_000_000
FRAMES = ("first_frame", "end_frame")
SECONDS = ("start", "end")


def clip_rows(project: Project) -> Iterator[dict[str, str | int]]:
    """Yield one row per clip, by video and frame, with the split of its source video.

    Frames are those of the source; if its frame rate varies, the row has seconds instead. A file
    that was cut from a long video has neither.
    """
    clips = labeled_clips(project).select_related("video", "label").defer("video__shots")
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


FILES: Mapping[str, Callable[[Project], Iterator[Mapping[str, str | int]]]] = {
    "clips.json": clip_rows,
    "labels.json": label_rows,
}


def json_lines(rows: Iterable[Mapping[str, str | int]]) -> Iterator[str]:
    """Yield a JSON list with one row per line."""
    yield "["
    for number, row in enumerate(rows):
        yield (",\n" if number else "\n") + json.dumps(row, ensure_ascii=False)
    yield "\n]\n"


def place_in_source(clip: Clip) -> dict[str, str | int]:
    """Return `start` and `end` in seconds, and `first_frame` and `end_frame` if the frame rate is
    constant. The result is empty for a file that was cut from a long video."""
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
    """Return frames or seconds, because the reader refuses both."""
    place = place_in_source(clip)
    columns = FRAMES if "first_frame" in place else SECONDS
    return {column: place[column] for column in columns if column in place}


def _seconds(time: Fraction) -> str:
    """Round a time down, so that its frame is still the first one that begins at or after it."""
    whole, rest = divmod(time.numerator * MICRO // time.denominator, MICRO)
    return f"{whole}.{rest:06}"
