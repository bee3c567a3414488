"""A release in CaReBench's form as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from review.frozen.models import Release
from review.releases.statements import add_up, count_signed, identification_sentence, who_made
from review.releases.writers.captions import CaptionNumbers, caption_table, score_table
from review.releases.writers.carebench import (
    BATCH_SIZE,
    CAPTIONS,
    SPANS,
    clip_files,
    offered_clips,
    records,
    video_path,
    without_lists,
)
from review.releases.writers.key_order import CLIP as CLIP_ORDER
from review.releases.writers.key_order import in_order
from review.releases.writers.records import record_tables
from review.releases.writers.spans import release_has_spans, spans_column
from review.releases.writers.tables import Column, Content, Making, Rows, Table

CLIP = (
    Column("file_name", "text", "The clip's video in this folder"),
    Column("caption", "text", "What happens in the clip, in full"),
    Column("spatial_caption", "text", "What is seen, without motion"),
    Column("temporal_caption", "text", "What happens in time"),
    Column("category", "text", "As in the project"),
    Column("subcategory", "text", "As in the project"),
    Column("events", "texts", "Events of the temporal caption, checked by a person", True),
    Column("objects", "texts", "Objects of the spatial caption, checked by a person", True),
)
SOURCE = (
    Column("frames", "integer", "Frames of the video"),
    Column("fps", "number", "Frames per second"),
    Column("duration", "number", "Seconds"),
    Column("license", "text", "Of the video that was imported"),
    Column("source_url", "text", "Of the video that was imported"),
)
RECORD = (
    Column("file_name", "text", "The clip's video in this folder"),
    Column("size", "integer", "Bytes of the video"),
    Column("sha256", "text", "Of the video"),
    Column("category", "text", "As in the project"),
    Column("subcategory", "text", "As in the project"),
    Column("caption", "integer", "The id of the full caption"),
    Column("spatial_caption", "integer", "The id of the spatial caption"),
    Column("temporal_caption", "integer", "The id of the temporal caption"),
    Column("events", "texts", "Events of the temporal caption, checked by a person", True),
    Column("objects", "texts", "Objects of the spatial caption, checked by a person", True),
    Column("provenance", "object", "Where the video is from, and under numbers who captioned it"),
)


def carebench_content(release: Release) -> Content:
    provenances = [
        (video_path(name), provenance)
        for name, provenance in offered_clips(release).values_list("file_name", "provenance")
    ]
    lines = Table(
        name="clips",
        about="One line per clip",
        columns=RECORD,
        count=len(provenances),
        rows=lambda: _record_rows(release, captions),
    )
    captions = CaptionNumbers(release)
    is_timed = release_has_spans(release)
    return Content(
        tables=carebench_tables(
            len(provenances), lambda: _clip_rows(release, is_timed=is_timed), is_timed=is_timed
        ),
        records=(
            lines,
            caption_table(release, captions),
            score_table(release, captions),
            *record_tables(release, captions),
        ),
        videos=clip_files(release),
        licenses=provenances,
        making=carebench_making(
            [provenance for _, provenance in provenances],
            offered_clips(release).values_list("category", flat=True),
        ),
    )


def carebench_tables(count: int, rows: Rows, *, is_timed: bool) -> tuple[Table, ...]:
    """Return the table; `is_timed`: it has the spans of the captions."""
    return (
        Table(
            name="clips",
            about="One row per clip, with its captions",
            columns=(*CLIP, *SOURCE, *(map(spans_column, CAPTIONS) if is_timed else ())),
            count=count,
            rows=rows,
            has_own_files=True,
            videos="videos/*.mp4",
        ),
    )


def _clip_rows(release: Release, *, is_timed: bool) -> Iterator[tuple[Any, ...]]:
    for (name, *values), provenance in records(release):
        texts, spans = values[: -len(SPANS)], values[-len(SPANS) :]
        yield (
            video_path(name),
            *texts,
            *source_values(provenance),
            *(spans if is_timed else ()),
        )


def source_values(provenance: dict[str, Any]) -> tuple[Any, ...]:
    """Return the values of the columns SOURCE."""
    fps = Fraction(provenance["fps"])
    frames = provenance["frames"]
    return (
        frames,
        float(fps),
        float(frames / fps),
        provenance["licence"],
        provenance["source_url"],
    )


def _record_rows(release: Release, captions: CaptionNumbers) -> Iterator[tuple[Any, ...]]:
    gone = release.withdrawn.captions
    rows = offered_clips(release).values_list(
        "file_name", *CAPTIONS, "video_size", "video_sha256", "category", "subcategory",
        "checked_events", "checked_objects", "provenance",
    )  # fmt: skip
    for name, full, spatial, temporal, *video, events, objects, provenance in rows.iterator(
        chunk_size=BATCH_SIZE
    ):
        keys = map(captions.of, (full, spatial, temporal))
        lists = without_lists(events, objects, spatial, temporal, gone)
        yield (video_path(name), *video, *keys, *lists, in_order(provenance, CLIP_ORDER))


def carebench_making(provenances: Sequence[Mapping[str, Any]], of_clips: Iterable[str]) -> Making:
    """Return how clips of this provenance and these categories were made."""
    categories, number = Counter(of_clips), len(provenances)
    counts = ", ".join(f"{name} {count:,}" for name, count in sorted(categories.items()))
    writers = {len(p["written_by"]) for p in provenances if "written_by" in p}
    by_people = bool(writers)
    return Making(
        summary=f"{number:,} clip{'' if number == 1 else 's'}, each with a "
        "caption, a spatial and a temporal caption.",
        collection=who_made(provenances),
        protocol=" ".join(
            filter(
                None,
                [
                    "Each person describes a clip in four parts: overview, objects, actions and "
                    "the rest. An expert merges the descriptions. The merged text is split into a "
                    "spatial and a temporal caption."
                    if by_people
                    else "",
                    count_signed(provenances).sentence,
                    identification_sentence(add_up(provenances)),
                ],
            )
        ),
        composition=f"Clips by category: {counts}.",
        per_item=" or ".join(str(number) for number in sorted(writers)),
    )
