"""LoVR's files, with ours beside them at the top (docs/formats.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from review.exchange.files import ExportFile, stored_chunks, text_file
from review.frozen.models import Release, ReleasedScene, ReleasedVideo
from review.proof.files import proof_lines
from review.releases.content import SUMS, license_text, signature
from review.releases.writers.captions import runs_entry, score_summary
from review.releases.writers.folder import (
    clips_left,
    content_files,
    listed,
    notes_of,
    own_folder,
    release_facts,
    simulated_notice,
    tombstone_lines,
)
from review.releases.writers.key_order import VIDEO, in_order
from review.releases.writers.lovr_captions import (
    CAP,
    CAP_SPANS,
    CLIPS,
    RECORDS,
    VIDEOS,
    VideoText,
    caption_chunks,
    clip_path,
    described_scenes,
    offered_scenes,
    offered_videos,
    offered_wholes,
    scene_path,
    scenes_of_release,
    video_path,
)
from review.releases.writers.made import parquet_file
from review.releases.writers.spans import Spans, release_has_spans, written_spans
from review.releases.writers.tables import Column
from review.releases.writers.weights import weights_lines

CLIPS_PARQUET = "caption_data/all_clip.parquet"
VIDEOS_PARQUET = "caption_data/all_video.parquet"
PATH = Column("path", "text", "The clip's file under video_data/long_video_clip/")
VID = Column("vid", "text", "The video's name")


def lovr_files(release: Release, folder: Path) -> list[ExportFile]:
    """List LoVR's files and ours; the Parquet files are written to the folder."""
    videos = list(offered_videos(release).select_related("full_caption"))
    gone = release.withdrawn.captions
    texts = {
        v.vid: VideoText(v.full_caption.text, written_spans(v.full_caption.spans))
        for v in videos
        if v.full_caption and v.full_caption_id not in gone
    }
    captions = content_files(release, caption_chunks(partial(scenes_of_release, release), texts))
    is_timed = release_has_spans(release)
    clip_rows = ((s.path, s.caption, s.spans) for s in scenes_of_release(release))
    video_rows = ((vid, text.caption, text.spans) for vid, text in texts.items())
    parquet = [
        _parquet(folder, CLIPS_PARQUET, PATH, clip_rows, is_timed=is_timed),
        _parquet(folder, VIDEOS_PARQUET, VID, video_rows, is_timed=is_timed),
    ]
    wholes, clips = video_files(release), clip_files(release)
    provenance_by_file = ((f"{v.vid}.mp4", v.provenance) for v in videos)
    return own_folder(
        release,
        about=[
            text_file(
                "README.md", _readme(release, len(videos), len(texts), has_clips=bool(clips))
            ),
            text_file("LICENSE.txt", license_text(release, provenance_by_file)),
            *(text_file(*file) for file in sorted((release.assessment_files or {}).items())),
        ],
        facts=release_facts(release, "lovr", video_count=len(videos)),
        entries=_entries(release, videos, captions, parquet),
        frozen=_frozen_hashes(release),
        files=[*captions, *parquet, *wholes, *clips],
    )


def _parquet(
    folder: Path, path: str, key: Column, rows: Iterable[tuple[str, str, Spans]], *, is_timed: bool
) -> ExportFile:
    """Write a table of captions; `is_timed`: with their spans."""
    columns = (key, CAP, CAP_SPANS) if is_timed else (key, CAP)
    values = (row[: len(columns)] for row in rows)
    return parquet_file(folder, path, columns, values, is_plain=True)


def _frozen_hashes(release: Release) -> Iterator[tuple[str, str]]:
    """Yield the path and hash of every file whose hash is in the content hash, in its order."""
    yield from ((path, sha256) for path, _, sha256 in release.caption_files)
    for vid, sha256 in release.videos.order_by("pk").values_list("vid", "video_sha256"):
        yield video_path(vid), sha256
    scenes = ReleasedScene.objects.filter(video__release=release, clip_file__isnull=False)
    rows = scenes.order_by("pk").values_list("video__vid", "number", "clip_file")
    for vid, number, file in rows:
        assert file is not None
        yield clip_path(scene_path(vid, number)), file[1]


def video_files(release: Release) -> list[ExportFile]:
    """Return the whole videos."""
    rows = offered_videos(release).values_list(
        "vid", "video_size", "video_sha256", "video__playback_file"
    )
    return [
        ExportFile(video_path(vid), size, sha256, partial(stored_chunks, name))
        for vid, size, sha256, name in rows
    ]


def clip_files(release: Release) -> list[ExportFile]:
    """Return the clips as files, in the order of the captions; none if the release has none."""
    scenes = offered_scenes(release).filter(clip_file__isnull=False)
    rows: Iterable[tuple[str, int, Any, str]] = scenes.values_list(
        "video__vid", "number", "clip_file", "clip__file__name"
    )
    return [
        ExportFile(
            path=clip_path(scene_path(vid, number)),
            size=size,
            sha256=sha256,
            open=partial(stored_chunks, name),
        )
        for vid, number, (size, sha256), name in rows
    ]


def _entries(
    release: Release,
    videos: list[ReleasedVideo],
    captions: list[ExportFile],
    parquet: list[ExportFile],
) -> dict[str, Any]:
    """Return the manifest's entries about captions and videos."""
    scenes: dict[int, list[dict[str, object]]] = {video.pk: [] for video in videos}
    vids = {video.pk: video.vid for video in videos}
    sources: Counter[str] = Counter()
    gone = release.withdrawn.captions
    for video, number, start, end, source, file, caption in offered_scenes(release).values_list(
        "video", "number", "start_frame", "end_frame", "caption__source", "clip_file", "caption"
    ):
        scene: dict[str, object] = {"scene": number, "start_frame": start, "end_frame": end}
        if file:
            path = clip_path(scene_path(vids[video], number))
            scene |= {"path": path, "size": file[0], "sha256": file[1]}
        scenes[video].append(scene)
        if caption not in gone:
            sources[source] += 1
    return {
        # The number of clip captions per source, but not which, because raters can read the file.
        "clip_captions_by_source": dict(sorted(sources.items())),
        # `machine`: joined by a fuse run. `corrected`: corrected by a person.
        "video_captions_by_source": dict(
            sorted(
                Counter(
                    v.full_caption.source
                    for v in videos
                    if v.full_caption and v.full_caption_id not in gone
                ).items()
            )
        ),
        **runs_entry(
            release,
            described_scenes(release).order_by().values("caption"),
            offered_wholes(release).order_by().values("full_caption"),
        ),
        "video_caption_scores": score_summary(
            release, offered_wholes(release).order_by().values("full_caption")
        ),
        "captions": listed(captions),
        "parquet": listed(parquet),
        "videos": [
            {
                "path": video_path(video.vid),
                "size": video.video_size,
                "sha256": video.video_sha256,
                **in_order(video.provenance, VIDEO),
                "clips": scenes[video.pk],
            }
            for video in videos
        ],
    }


CLIPS_INCLUDED = """
`video_data/long_video_clip/` has the clips as files (H.264, constant frame rate), cut frame by
frame from the whole videos.
"""
CLIPS_TO_CUT = """
**The clips are not included as files.** `path` and `clip_path` say where LoVR's code looks for
them. Cut them from the whole videos, for example with FFmpeg and the frames of `manifest.json`:

```
mkdir -p video_data/long_video_clip/VID
ffmpeg -i video_data/long_video/VID.mp4 -an \\
  -vf trim=start_frame=START:end_frame=END,setpts=PTS-STARTPTS \\
  video_data/long_video_clip/VID/VID-Scene-001.mp4
```
"""


def _readme(release: Release, videos: int, full: int, *, has_clips: bool) -> str:
    number = clips_left(release)
    clips = f"{number} captioned clip{'' if number == 1 else 's'}"
    of_videos = f"{videos} long video{'' if videos == 1 else 's'}"
    return f"""# {release.project_name} {release.version}

{clips} of {of_videos}; {full} of the videos also {"has" if full == 1 else "have"} a caption of the
whole video.
{simulated_notice(release)}{notes_of(release)}
- `{CLIPS}`: one clip per line, with `path` and `cap` ({number} lines)
- `{VIDEOS}`: one video per line, with `vid` and `cap`, where it has a caption
- `{CLIPS_PARQUET}`, `{VIDEOS_PARQUET}`: the same two tables in
  Parquet, with their SHA-256 in `manifest.json`
- `{RECORDS}`: one clip per line in the fields of LoVR's README; `video_caption` is null where the
  video has none
- `video_data/long_video/`: the whole videos (H.264, constant frame rate)
- `manifest.json`: size, SHA-256 and source of each video, the first and end frame of each clip, and
  the source and scores of the captions
- `LICENSE.txt`: whose terms apply to what
{_assessment(release)}- `{SUMS}`: check the files with `sha256sum --check {SUMS}`
{proof_lines(release)}{CLIPS_INCLUDED if has_clips else CLIPS_TO_CUT}
Scenes are numbered from 1 in the order of time. A number is missing where a clip has no caption.

The SHA-256 of `{SUMS}` itself is the content hash of this release:
`{release.content_hash}`
{weights_lines(release)}{tombstone_lines(release, is_own=True)}
Quote with results: `{signature(release)}`
"""


def _assessment(release: Release) -> str:
    if not release.assessment_files:
        return ""
    names = ", ".join(f"`{name}`" for name in sorted(release.assessment_files))
    return (
        f"- {names}: what people judged, how well\n  they agree and their ratings, with 95 % "
        "intervals, when this was released\n"
    )
