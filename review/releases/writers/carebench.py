"""Write CaReBench's files, with our own at the top level (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from review.display.tables import json_lines
from review.exchange.files import ExportFile, measured_file, text_file
from review.frozen.models import Release, ReleasedClip
from review.proof.files import proof_lines
from review.releases.content import SUMS, license_text, signature
from review.releases.statements import add_up, count_signed, identification_sentence, who_made
from review.releases.writers.clip_videos import clip_entries, clip_video, with_files
from review.releases.writers.folder import (
    SIMULATED,
    listed,
    notes_of,
    own_folder,
    release_facts,
    tombstone_lines,
)
from review.releases.writers.key_order import CLIP
from review.releases.writers.spans import Spans, spans_name, written_spans
from review.releases.writers.weights import weights_lines

METADATA = "json/metadata.json"
BATCH_SIZE = 500

Elements = list[str] | None
Record = tuple[str, str, str, str, str, str, Elements, Elements, Spans, Spans, Spans]
FIELDS = ("video", "caption", "spatial_caption", "temporal_caption", "category", "subcategory")
LISTS = ("events", "objects")
CAPTIONS = ("caption", "spatial_caption", "temporal_caption")
SPANS = tuple(spans_name(caption) for caption in CAPTIONS)


def carebench_files(release: Release) -> list[ExportFile]:
    clips = _frozen_clips(release)
    videos = clip_files(release)
    provenances = [clip.provenance for clip in clips]
    provenance_by_file = ((clip.file_name, clip.provenance) for clip in clips)
    metadata = _metadata(release)
    return own_folder(
        release,
        about=[
            text_file("README.md", _readme(release, provenances)),
            text_file("LICENSE.txt", license_text(release, provenance_by_file)),
        ],
        facts=release_facts(release, "carebench"),
        entries={
            "metadata": listed([metadata])[0],
            "clips": clip_entries(videos, clips, CLIP),
        },
        frozen=[(METADATA, release.metadata_sha256), *_frozen_hashes(release)],
        files=[metadata, *videos],
    )


def _metadata(release: Release) -> ExportFile:
    def chunks() -> Iterator[bytes]:
        return metadata_chunks(record for record, _ in records(release))

    if release.withdrawn:
        return measured_file(METADATA, chunks)
    return ExportFile(METADATA, release.metadata_size, release.metadata_sha256, chunks)


def _frozen_hashes(release: Release) -> Iterator[tuple[str, str]]:
    """Yield the path and hash of every video that was frozen."""
    for name, sha256 in release.clips.order_by("pk").values_list("file_name", "video_sha256"):
        yield video_path(name), sha256


def clip_files(release: Release) -> list[ExportFile]:
    """Return the videos of the clips, in the order of their file names."""
    return [clip_video(clip, video_path(clip.file_name)) for clip in _frozen_clips(release)]


def offered_clips(release: Release) -> QuerySet[ReleasedClip]:
    """Return the clips that weren't taken down, in the order in which they were frozen, which is
    that of the file names, independent of the database's collation."""
    return release.clips.order_by("pk").exclude(clip__in=release.withdrawn.clips)


def _frozen_clips(release: Release) -> list[ReleasedClip]:
    return with_files(offered_clips(release), "file_name")


def metadata_chunks(records: Iterable[Record]) -> Iterator[bytes]:
    """Yield `json/metadata.json`: a JSON array with one clip per line, in the given order. Clips
    with checked lists have `events` and `objects`, and clips with timed sentences the spans of the
    text.
    """
    for line in json_lines(map(_clip_fields, records)):
        yield line.encode()


def _clip_fields(record: Record) -> dict[str, object]:
    fields: dict[str, object] = dict(zip((*FIELDS, *LISTS, *SPANS), record, strict=True))
    return {name: value for name, value in fields.items() if value is not None}


def video_path(file_name: str) -> str:
    return f"videos/{file_name}"


def records(release: Release) -> Iterator[tuple[Record, dict[str, Any]]]:
    """Yield the clips with their provenance. A text that was taken down is empty, and its checked
    list and spans are gone."""
    gone, count = release.withdrawn.captions, len(CAPTIONS)
    texts = [f"{name}__text" for name in CAPTIONS]
    rows = offered_clips(release).values_list(
        "file_name", *texts, "category", "subcategory", "checked_events", "checked_objects",
        "provenance", *(f"{name}__spans" for name in CAPTIONS), *CAPTIONS,
    )  # fmt: skip
    for row in rows.iterator(chunk_size=BATCH_SIZE):
        values, stored, keys = row[: -2 * count], row[-2 * count : -count], row[-count:]
        name, caption, spatial, temporal, category, subcategory, events, objects, provenance = (
            values
        )
        caption, spatial, temporal = (
            "" if key in gone else text
            for key, text in zip(keys, (caption, spatial, temporal), strict=True)
        )
        lists = without_lists(events, objects, keys[1], keys[2], gone)
        spans = (
            None if key in gone else written_spans(of_text)
            for key, of_text in zip(keys, stored, strict=True)
        )
        yield (name, caption, spatial, temporal, category, subcategory, *lists, *spans), provenance


def without_lists(
    events: Elements, objects: Elements, spatial: int, temporal: int, gone: frozenset[int]
) -> tuple[Elements, Elements]:
    """Return the checked lists of a clip's texts that weren't taken down."""
    return None if temporal in gone else events, None if spatial in gone else objects


def _done(provenances: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return sentences on people's work; [] without any."""
    return [
        who_made(provenances),
        count_signed(provenances).sentence,
        identification_sentence(add_up(provenances)),
    ]


def _readme(release: Release, provenances: Sequence[Mapping[str, Any]]) -> str:
    clips = f"{len(provenances)} clip{'' if len(provenances) == 1 else 's'}"
    by_whom = (
        SIMULATED if release.project.is_simulated else " ".join(filter(None, _done(provenances)))
    )
    return f"""# {release.project_name} {release.version}

{clips}, each with a caption, a spatial and a temporal caption. {by_whom}
{notes_of(release)}
- `{METADATA}`: the captions, in CaReBench's fields
- `videos/`: the clips (H.264, constant frame rate)
- `manifest.json`: size, SHA-256, source and provenance of each clip, without names
- `LICENSE.txt`: whose terms apply to what
- `{SUMS}`: check the files with `sha256sum --check {SUMS}`
{proof_lines(release)}{weights_lines(release)}{tombstone_lines(release, is_own=True)}
The SHA-256 of `{SUMS}` itself is the content hash of this release:
`{release.content_hash}`

Quote with results: `{signature(release)}`
"""
