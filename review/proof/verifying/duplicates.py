"""Compare content that a release in LoVR's form has in several files: captions as JSON lines, in
Parquet and in `records.jsonl`, and the times of clips."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from review.proof.verifying.folder import Folder, Problem, Unreadable
from review.proof.verifying.parquet import parquet_rows
from review.proof.verifying.released import CLIPS, VIDEOS

MANIFEST = "manifest.json"
RECORDS = "caption_data/records.jsonl"
PARQUET = {
    "caption_data/all_clip.parquet": CLIPS,
    "caption_data/all_video.parquet": VIDEOS,
}
FOLDER_OF_CLIPS = "video_data/long_video_clip/"
NOT_IN_FORM = (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError)


def check_duplicates(folder: Folder) -> Iterator[Problem]:
    """Yield a problem for the first row of each file that differs from its equal."""
    for path, lines in PARQUET.items():
        yield from _first_difference(path, lines, _table_rows(folder, path), folder.lines(lines))
    try:
        captions, frames = _captions_of_videos(folder), _times_of_clips(folder)
        records = map(_of_record, folder.lines(RECORDS))
        expected = (_expected(row, captions, frames) for row in folder.lines(CLIPS))
        yield from _first_difference(
            RECORDS, f"{CLIPS}, {VIDEOS} and {MANIFEST}", records, expected
        )
    except Unreadable as error:
        yield Problem(RECORDS, str(error))
    except NOT_IN_FORM as error:
        yield Problem(MANIFEST, f"Its clips aren't in their form: {error!r}"[:300])


def _first_difference(
    path: str, other: str, rows: Iterable[Any], equals: Iterable[Any]
) -> Iterator[Problem]:
    try:
        for number, (row, equal) in enumerate(zip_longest(rows, equals), 1):
            if row != equal:
                yield Problem(path, f"Row {number:,} differs from that of {other}.")
                return
    except Unreadable as error:
        yield Problem(path, str(error))
    except NOT_IN_FORM as error:
        yield Problem(path, f"A row isn't in its form: {error!r}"[:300])


def _table_rows(folder: Folder, path: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file without what is None, as JSON lines leave it out."""
    for row in parquet_rows(folder.path(path)):
        yield {name: value for name, value in row.items() if value is not None}


def _captions_of_videos(folder: Folder) -> dict[str, str]:
    """Return the SHA-256 of the caption of each video: a text can have 100,000 words."""
    return {row["vid"]: _digest(row["cap"]) for row in folder.lines(VIDEOS)}


def _times_of_clips(folder: Folder) -> dict[str, tuple[float, float]]:
    """Return the first and the last second of each clip of the manifest, by its path."""
    times = {}
    for video in folder.json(MANIFEST)["videos"]:
        vid = video["path"].rpartition("/")[2].removesuffix(".mp4")
        fps = Fraction(video["fps"])
        for clip in video["clips"]:
            path = f"{vid}/{vid}-Scene-{clip['scene']:03d}.mp4"
            times[path] = float(clip["start_frame"] / fps), float(clip["end_frame"] / fps)
    return times


def _of_record(row: dict[str, Any]) -> tuple[Any, ...]:
    video = row["video_caption"]
    times = row["start_time"], row["end_time"]
    return row["clip_path"], row["clip_caption"], times, None if video is None else _digest(video)


def _expected(
    row: dict[str, Any], captions: dict[str, str], times: dict[str, tuple[float, float]]
) -> tuple[Any, ...]:
    path = row["path"]
    vid = path.partition("/")[0]
    return FOLDER_OF_CLIPS + path, row["cap"], times[path], captions.get(vid)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
