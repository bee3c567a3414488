"""A release in LoVR's form as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from annotate.models import Caption
from review.exchange.files import ExportFile
from review.frozen.models import Release, scene_id
from review.releases.writers.captions import CaptionNumbers, caption_table, score_table
from review.releases.writers.carebench_content import SOURCE, source_values
from review.releases.writers.folder import clips_left
from review.releases.writers.key_order import VIDEO as VIDEO_ORDER
from review.releases.writers.key_order import in_order
from review.releases.writers.lovr import clip_files, video_files
from review.releases.writers.lovr_captions import (
    BATCH_SIZE,
    described_scenes,
    offered_scenes,
    offered_videos,
    offered_wholes,
    scene_path,
    scenes_of_release,
)
from review.releases.writers.records import record_tables
from review.releases.writers.spans import release_has_spans, spans_column, written_spans
from review.releases.writers.tables import Column, Content, Making, Rows, Table

OWN_FILE = Column("file_name", "text", "The clip's video in this folder")
WHOLE_FILE = Column("file_name", "text", "The whole video, from which the clip is to be cut")
NAMES = (
    Column("clip_id", "text", "As in LoVR: VID-Scene-NNN"),
    Column("video_id", "text", "The name of the whole video"),
    Column("scene", "integer", "The clip's place in time among all clips of the video, from 1"),
)
RANGE = (
    Column("start_frame", "integer", "The clip's first frame in the whole video, from 0"),
    Column("end_frame", "integer", "The first frame after the clip"),
)
TIMES = (
    Column("start_time", "number", "Seconds in the whole video"),
    Column("end_time", "number", "Seconds in the whole video"),
)
CAPTION = Column("caption", "text", "What happens in the clip")
VIDEO = (
    Column("file_name", "text", "The whole video in this folder"),
    Column("video_id", "text", "The name of the whole video"),
    Column("caption", "text", "What happens in the whole video, where it has a caption", True),
)
CAPTION_SPANS = spans_column(CAPTION.name)
CLIP_RECORD = (
    *NAMES,
    *RANGE,
    Column("file_name", "text", "The clip's video in this folder, if it is a file", True),
    Column("size", "integer", "Bytes of that file", True),
    Column("sha256", "text", "Of that file", True),
    Column("caption", "integer", "The id of the caption"),
)
VIDEO_RECORD = (
    Column("video_id", "text", "The name of the whole video"),
    Column("file_name", "text", "The whole video in this folder"),
    Column("size", "integer", "Bytes of the video"),
    Column("sha256", "text", "Of the video"),
    Column("caption", "integer", "The id of the caption of the whole video", True),
    Column("provenance", "object", "What file the video was imported from"),
)


def lovr_content(release: Release) -> Content:
    clips = _in_this_folder(clip_files(release), "video_data/long_video_clip", "clips")
    videos = _in_this_folder(video_files(release), "video_data/long_video", "videos")
    provenances = offered_videos(release).values_list("vid", "provenance")
    has_clips = bool(clips)
    captions = CaptionNumbers(release)
    is_timed = release_has_spans(release)
    return Content(
        tables=lovr_tables(
            Part(
                clips_left(release),
                lambda: _clip_rows(release, has_clips=has_clips, is_timed=is_timed),
            ),
            Part(len(videos), lambda: _video_rows(release, is_timed=is_timed)),
            has_clips=has_clips,
            is_timed=is_timed,
        ),
        records=(
            Table(
                name="clips",
                about="One line per clip",
                columns=CLIP_RECORD,
                count=offered_scenes(release).count(),
                rows=lambda: _clip_records(release, captions),
            ),
            Table(
                name="videos",
                about="One line per whole video",
                columns=VIDEO_RECORD,
                count=len(videos),
                rows=lambda: _video_records(release, captions),
            ),
            caption_table(release, captions),
            score_table(release, captions),
            *record_tables(release, captions),
        ),
        videos=[*videos, *clips],
        licenses=[(whole_path(vid), provenance) for vid, provenance in provenances],
        making=_making(release, len(videos)),
        texts=dict(sorted((release.assessment_files or {}).items())),
    )


class Part(NamedTuple):
    """The rows of a table, and how many there are."""

    total: int
    rows: Rows


def lovr_tables(clips: Part, videos: Part, *, has_clips: bool, is_timed: bool) -> tuple[Table, ...]:
    """Return the tables; `has_clips`: the clips are files; `is_timed`: they have the spans of the
    captions."""
    spans = (CAPTION_SPANS,) if is_timed else ()
    return (
        Table(
            name="clips",
            about="One row per clip, with its caption"
            + ("" if has_clips else "; file_name is the whole video"),
            columns=(
                OWN_FILE if has_clips else WHOLE_FILE,
                *NAMES,
                *RANGE,
                *TIMES,
                CAPTION,
                *spans,
            ),
            count=clips.total,
            rows=clips.rows,
            has_own_files=has_clips,
            videos="clips/*/*.mp4" if has_clips else "videos/*.mp4",
        ),
        Table(
            name="videos",
            about="One row per whole video, with its caption",
            columns=(*VIDEO, *SOURCE, *spans),
            count=videos.total,
            rows=videos.rows,
            has_own_files=True,
            place="videos/",
            videos="videos/*.mp4",
        ),
    )


def whole_path(vid: str) -> str:
    return f"videos/{vid}.mp4"


def cut_path(vid: str, number: int) -> str:
    return f"clips/{scene_path(vid, number)}"


def _in_this_folder(files: list[ExportFile], lovrs: str, ours: str) -> list[ExportFile]:
    return [replace(file, path=ours + file.path.removeprefix(lovrs)) for file in files]


def _clip_rows(release: Release, *, has_clips: bool, is_timed: bool) -> Iterator[tuple[Any, ...]]:
    for scene in scenes_of_release(release):
        vid, number = scene.vid, scene.number
        yield (
            cut_path(vid, number) if has_clips else whole_path(vid),
            scene.clip_id,
            vid,
            number,
            scene.start_frame,
            scene.end_frame,
            float(scene.start_frame / scene.fps),
            float(scene.end_frame / scene.fps),
            scene.caption,
            *([scene.spans] if is_timed else []),
        )


def _video_rows(release: Release, *, is_timed: bool) -> Iterator[tuple[Any, ...]]:
    gone = release.withdrawn.captions
    columns = ("vid", "full_caption", "full_caption__text", "full_caption__spans", "provenance")
    rows = offered_videos(release).values_list(*columns)
    for vid, key, text, stored, provenance in rows.iterator(chunk_size=BATCH_SIZE):
        offered, spans = (None, None) if key in gone else (text, written_spans(stored))
        timed = [spans] if is_timed else []
        yield (whole_path(vid), vid, offered, *source_values(provenance), *timed)


def _clip_records(release: Release, captions: CaptionNumbers) -> Iterator[tuple[Any, ...]]:
    columns = ("video__vid", "number", "start_frame", "end_frame", "clip_file", "caption")
    rows = offered_scenes(release).values_list(*columns)
    for vid, number, start, end, file, caption in rows.iterator(chunk_size=BATCH_SIZE):
        path = cut_path(vid, number) if file else None
        size, sha256 = file or (None, None)
        named = (scene_id(vid, number), vid, number)
        yield (*named, start, end, path, size, sha256, captions.of(caption))


def _video_records(release: Release, captions: CaptionNumbers) -> Iterator[tuple[Any, ...]]:
    columns = ("vid", "video_size", "video_sha256", "full_caption", "provenance")
    rows = offered_videos(release).values_list(*columns)
    for vid, size, sha256, caption, provenance in rows.iterator(chunk_size=BATCH_SIZE):
        of_file = in_order(provenance, VIDEO_ORDER)
        yield (vid, whole_path(vid), size, sha256, captions.of(caption), of_file)


def _making(release: Release, videos: int) -> Making:
    number = clips_left(release)
    clips = Caption.objects.filter(pk__in=described_scenes(release).order_by().values("caption"))
    whole = Caption.objects.filter(pk__in=offered_wholes(release).order_by().values("full_caption"))
    machine = clips.filter(source=Caption.Source.MACHINE)
    models = {
        origin[0]["model"]
        for origin in machine.order_by()
        .values_list("provenance", flat=True)
        .iterator(chunk_size=BATCH_SIZE)
        if origin and "model" in origin[0]
    }
    return lovr_making(
        number,
        videos,
        clips.order_by().values_list("source", flat=True),
        whole.order_by().values_list("source", flat=True),
        sorted(models),
    )


def lovr_making(
    number: int,
    videos: int,
    of_clips: Iterable[str],
    of_videos: Iterable[str],
    tools: Iterable[str],
) -> Making:
    """Return how so many clips of so many videos were made, by the sources of their captions."""
    return Making(
        summary=f"{number:,} captioned clip{'' if number == 1 else 's'} of "
        f"{videos:,} long video{'' if videos == 1 else 's'}, and captions of whole videos.",
        collection="Long videos are cut into clips. The clips, and whole videos, have captions.",
        protocol="A model writes a caption (machine), a person corrects one (corrected), or a "
        "person writes one (human).",
        composition=f"Captions of clips by source: {_counted(of_clips)}. Of whole videos: "
        f"{_counted(of_videos)}.",
        tools=tuple(tools),
    )


def _counted(sources: Any) -> str:
    counts = Counter(sources)
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())) or "none"
