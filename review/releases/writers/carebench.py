"""Write CaReBench's files, with our own at the top level (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.db.models import QuerySet

from annotate.models import Clip
from review.display.tables import json_lines
from review.exchange.files import ExportFile, measure, stored_chunks, sum_lines, text_file
from review.frozen.models import Release, ReleasedClip
from review.proof.files import proof_entry, proof_files, proof_hashes, proof_lines
from review.releases.content import SUMS, license_text, signature
from review.releases.identified import add_up, identification_sentence
from review.releases.sign_offs import count_signed, who_made
from review.releases.writers.key_order import CLIP, in_order
from review.releases.writers.manifest import manifest_file, release_facts
from review.releases.writers.spans import Spans, spans_name, written_spans
from review.releases.writers.tombstones import tombstone_entry, tombstone_files, tombstone_lines

METADATA = "json/metadata.json"
AT_ONCE = 500

Elements = list[str] | None
Record = tuple[str, str, str, str, str, str, Elements, Elements, Spans, Spans, Spans]
FIELDS = ("video", "caption", "spatial_caption", "temporal_caption", "category", "subcategory")
LISTS = ("events", "objects")
CAPTIONS = ("caption", "spatial_caption", "temporal_caption")
SPANS = tuple(spans_name(caption) for caption in CAPTIONS)


def carebench_files(release: Release) -> list[ExportFile]:
    clips = _frozen_clips(release)
    metadata, proof = _metadata(release), proof_files(release)
    files = [metadata, *clip_files(release)]
    sums = [(METADATA, release.metadata_sha256), *_frozen_hashes(release)]
    stones = tombstone_files(release, [*sums, *proof_hashes(release)], [*files, *proof])
    about = [
        text_file("README.md", _readme(release, [clip.provenance for clip in clips])),
        text_file(
            "LICENSE.txt", license_text(release, ((c.file_name, c.provenance) for c in clips))
        ),
    ]
    return [
        *about,
        manifest_file(_manifest(release, clips, metadata, stones), about),
        *stones,
        *proof,
        text_file(SUMS, "".join(sum_lines(sums))),
        *files,
    ]


def _metadata(release: Release) -> ExportFile:
    def chunks() -> Iterator[bytes]:
        return metadata_chunks(record for record, _ in records(release))

    size, sha256 = release.metadata_size, release.metadata_sha256
    if release.withdrawn:
        sha256, size = measure(chunks())
    return ExportFile(METADATA, size, sha256, chunks)


def _frozen_hashes(release: Release) -> Iterator[tuple[str, str]]:
    """Yield the path and hash of every video that was frozen."""
    rows = ReleasedClip.objects.filter(release=release).order_by("pk")
    for name, sha256 in rows.values_list("file_name", "video_sha256"):
        yield video_path(name), sha256


def clip_files(release: Release) -> list[ExportFile]:
    """Return the videos of the clips, in the order of their file names."""
    return [
        ExportFile(
            path=video_path(clip.file_name),
            size=clip.video_size,
            sha256=clip.video_sha256,
            open=partial(stored_chunks, _stored_name(clip.clip)),
        )
        for clip in _frozen_clips(release)
    ]


def offered_clips(release: Release) -> QuerySet[ReleasedClip]:
    """Return the clips that weren't taken down, in the order in which they were frozen, which is
    that of the file names, independent of the database's collation."""
    clips = ReleasedClip.objects.filter(release=release).order_by("pk")
    withdrawn = release.withdrawn.clips
    return clips.exclude(clip__in=withdrawn) if withdrawn else clips


def _frozen_clips(release: Release) -> list[ReleasedClip]:
    return list(
        offered_clips(release)
        .select_related("clip__video", "clip__file")
        .only(
            "release_id",
            "file_name",
            "video_sha256",
            "video_size",
            "provenance",
            "clip__start_frame",
            "clip__end_frame",
            "clip__file__name",
            "clip__video__frames",
            "clip__video__playback_file",
        )
    )


def _stored_name(clip: Clip) -> str:
    return clip.video.playback_file if clip.spans_its_video else clip.file.name


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
    for row in rows.iterator(chunk_size=AT_ONCE):
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


def _manifest(
    release: Release,
    clips: list[ReleasedClip],
    metadata: ExportFile,
    stones: Sequence[ExportFile],
) -> dict[str, Any]:
    return {
        **release_facts(release, "carebench"),
        **tombstone_entry(stones),
        **proof_entry(release),
        "metadata": {"path": METADATA, "size": metadata.size, "sha256": metadata.sha256},
        "clips": [
            {
                "path": video_path(clip.file_name),
                "size": clip.video_size,
                "sha256": clip.video_sha256,
                **in_order(clip.provenance, CLIP),
            }
            for clip in clips
        ],
    }


def _done(provenances: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return sentences on people's work; [] without any."""
    return [
        who_made(provenances),
        count_signed(provenances).sentence,
        identification_sentence(add_up(provenances)),
    ]


def _readme(release: Release, provenances: Sequence[Mapping[str, Any]]) -> str:
    notes = f"\n{release.notes}\n" if release.notes else ""
    clips = f"{len(provenances)} clip{'' if len(provenances) == 1 else 's'}"
    by_whom = (
        "SIMULATED: a program made up these labels for a demo."
        if release.project.is_simulated
        else " ".join(filter(None, _done(provenances)))
    )
    return f"""# {release.project_name} {release.version}

{clips}, each with a caption, a spatial and a temporal caption. {by_whom}
{notes}
- `{METADATA}`: the captions, in CaReBench's fields
- `videos/`: the clips (H.264, constant frame rate)
- `manifest.json`: size, SHA-256, source and provenance of each clip, without names
- `LICENSE.txt`: whose terms apply to what
- `{SUMS}`: check the files with `sha256sum --check {SUMS}`
{proof_lines(release)}{tombstone_lines(release, is_own=True)}
The SHA-256 of `{SUMS}` itself is the content hash of this release:
`{release.content_hash}`

Quote with results: `{signature(release)}`
"""
