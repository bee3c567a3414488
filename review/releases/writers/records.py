"""Judgments of a release's captions and the run that made each, for the native format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from review.frozen.models import Release
from review.frozen.records import ReleasedRecord, map_captions
from review.releases.writers.captions import CaptionNumbers
from review.releases.writers.tables import Column, Table

File = ReleasedRecord.File
CAPTION = Column("caption", "integer", "The id of the caption")
REVIEWER = Column("by", "text", "The person, under a number")
# The fields of nested objects, in the order in which they are written.
SENTENCE = (
    *("number", "start", "end", "types", "correction", "is_deleted", "start_frame", "end_frame"),
)
MISSING = ("place", "text", "start_frame", "end_frame")
NESTED = {"sentences": SENTENCE, "missing": MISSING}


# What each file has, and its columns.
KINDS: dict[str, tuple[str, tuple[Column, ...]]] = {
    File.ORIGINS.value: (
        "One line per caption that a run of a model made",
        (
            CAPTION,
            Column("run", "integer", "The number of the run in its project"),
            Column("kind", "text", "caption, refine or fuse"),
            Column("model", "text", "The name of the model", True),
            Column("model_id", "text", "The model's id, such as that on Hugging Face", True),
            Column("revision", "text", "The revision of the model", True),
            Column("recipe_hash", "text", "SHA-256 of everything that decides the run's results"),
        ),
    ),
    File.VERIFICATIONS.value: (
        "One line per verification of a caption, with a verdict on each sentence",
        (
            CAPTION,
            REVIEWER,
            Column("corrected", "integer", "The id of the corrected caption, if it is here", True),
            Column("splitter", "text", "The rule that cut the caption into sentences"),
            Column("fits_theme", "boolean", "Whether the caption fits its video's theme"),
            Column("sentences", "objects", "The verdicts: " + ", ".join(SENTENCE)),
            Column("missing", "objects", "What the caption leaves out: " + ", ".join(MISSING)),
        ),
    ),
    File.RATINGS.value: (
        "One line per rating of a caption",
        (
            CAPTION,
            REVIEWER,
            Column("study", "integer", "The number of the study in its project"),
            Column("value", "integer", "From 0 to 5"),
        ),
    ),
    File.SIGN_OFFS.value: (
        "One line per verdict of an expert on the three texts of a clip",
        (
            Column("caption", "integer", "The id of the full caption"),
            Column("spatial_caption", "integer", "The id of the spatial caption"),
            Column("temporal_caption", "integer", "The id of the temporal caption"),
            Column("by", "text", "The expert, under a number"),
            Column("verdict", "text", "agree, merge (merged text sent back) or split (sent back)"),
        ),
    ),
    File.PICKS.value: (
        "One line per clip that a person picked for a text, in tests that have ended",
        (
            Column("caption", "integer", "The id of the text"),
            REVIEWER,
            Column("test", "integer", "The number of the test in its project"),
            Column("options", "integer", "How many clips there were to pick from"),
            Column(
                "picked",
                "integer",
                "The id of the picked clip's text of this kind; the pick is right if it is "
                "`caption`. Null: the release doesn't have it",
                True,
            ),
        ),
    ),
    File.DYNAMICS.value: (
        "One line per verdict whether a whole video is dynamic",
        (
            Column("video_id", "text", "The name of the whole video"),
            REVIEWER,
            Column("is_dynamic", "boolean", "The verdict"),
        ),
    ),
}


def record_tables(release: Release, captions: CaptionNumbers) -> tuple[Table, ...]:
    """Return the tables with frozen lines, without the lines about what was taken down."""
    frozen = set(release.records.order_by().values_list("file", flat=True).distinct())
    return tuple(
        Table(
            name=file,
            about=about,
            columns=columns,
            count=_count(release, captions, file),
            rows=partial(_rows, release, captions, file),
        )
        for file, (about, columns) in KINDS.items()
        if file in frozen
    )


def _count(release: Release, captions: CaptionNumbers, file: str) -> int:
    if release.withdrawn:
        return sum(1 for _ in _offered(release, captions, file))
    return release.records.filter(file=file).count()


def _rows(release: Release, captions: CaptionNumbers, file: str) -> Iterator[tuple[Any, ...]]:
    names = [column.name for column in KINDS[file][1]]
    for values in _offered(release, captions, file):
        yield tuple(_ordered(name, values[name]) for name in names)


def _ordered(name: str, value: Any) -> Any:
    """Return nested objects with their fields in order, which PostgreSQL doesn't keep."""
    if name not in NESTED:
        return value
    return [{field: row[field] for field in NESTED[name]} for row in value]


def _offered(release: Release, captions: CaptionNumbers, file: str) -> Iterator[Mapping[str, Any]]:
    """Yield the values of the lines in which nothing was taken down. A verification quotes the
    corrected caption, so it is withdrawn with it."""
    videos = release.withdrawn.videos
    rows = release.records.filter(file=file).order_by("pk").values_list("video", "values")
    for video, values in rows.iterator():
        offered = map_captions(file, values, captions.offered_number)
        if video in videos or offered is None:
            continue
        if values.get("corrected") is None or offered["corrected"] is not None:
            yield offered
