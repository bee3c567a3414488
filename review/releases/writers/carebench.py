"""Write CaReBench's files, with our own at the top level (docs/formats.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from annotate.models import Clip
from review.display.tables import json_lines
from review.exchange.files import ExportFile, stored_chunks, text_file
from review.frozen.models import Release, ReleasedClip
from review.proof.files import proof_entry, proof_files, proof_lines
from review.releases.content import SUMS, license_text, signature, sum_lines
from review.releases.identified import add_up, identification_sentence
from review.releases.sign_offs import count_signed, who_made

METADATA = "json/metadata.json"
AT_ONCE = 500

Elements = list[str] | None
Record = tuple[str, str, str, str, str, str, Elements, Elements]
FIELDS = ("video", "caption", "spatial_caption", "temporal_caption", "category", "subcategory")
LISTS = ("events", "objects")


def carebench_files(release: Release) -> list[ExportFile]:
    clips = _frozen_clips(release)
    videos = clip_files(release)
    metadata = ExportFile(
        METADATA,
        release.metadata_size,
        release.metadata_sha256,
        lambda: metadata_chunks(_records(release)),
    )
    return [
        text_file("README.md", _readme(release, [clip.provenance for clip in clips])),
        text_file(
            "LICENSE.txt", license_text(release, ((c.file_name, c.provenance) for c in clips))
        ),
        text_file("manifest.json", _manifest(release, clips)),
        *proof_files(release),
        text_file(SUMS, "".join(sum_lines((f.path, f.sha256) for f in (metadata, *videos)))),
        metadata,
        *videos,
    ]


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


def _frozen_clips(release: Release) -> list[ReleasedClip]:
    return list(
        ReleasedClip.objects.filter(release=release)
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
        .order_by("pk")
    )


def _stored_name(clip: Clip) -> str:
    return clip.video.playback_file if clip.spans_its_video else clip.file.name


def metadata_chunks(records: Iterable[Record]) -> Iterator[bytes]:
    """Yield `json/metadata.json`: a JSON array with one clip per line, in the given order. Clips
    whose lists people have checked have `events` and `objects`.
    """
    for line in json_lines(map(_clip_fields, records)):
        yield line.encode()


def _clip_fields(record: Record) -> dict[str, object]:
    fields: dict[str, object] = dict(zip((*FIELDS, *LISTS), record, strict=True))
    return {name: value for name, value in fields.items() if value is not None}


def video_path(file_name: str) -> str:
    return f"videos/{file_name}"


def _records(release: Release) -> Iterator[Record]:
    # Write clips in the order of their file names, independent of the database's collation.
    return (
        ReleasedClip.objects.filter(release=release)
        .order_by("pk")
        .values_list(
            "file_name",
            "caption__text",
            "spatial_caption__text",
            "temporal_caption__text",
            "category",
            "subcategory",
            "checked_events",
            "checked_objects",
        )
        .iterator(chunk_size=AT_ONCE)
    )


def _manifest(release: Release, clips: list[ReleasedClip]) -> str:
    manifest: dict[str, Any] = {
        "format": "carebench",
        "project": release.project_name,
        "version": release.version,
        "released_at": release.created_at.isoformat(timespec="seconds"),
        "licence": release.licence,
        "notes": release.notes,
        "clip_count": release.clip_count,
        "content_hash": release.content_hash,
        "signature": signature(release),
        **proof_entry(release),
        "metadata": {
            "path": METADATA,
            "size": release.metadata_size,
            "sha256": release.metadata_sha256,
        },
        "clips": [
            {
                "path": video_path(clip.file_name),
                "size": clip.video_size,
                "sha256": clip.video_sha256,
                **clip.provenance,
            }
            for clip in clips
        ],
    }
    return json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"


def _done(provenances: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return sentences on what people did, empty where they didn't."""
    return [
        who_made(provenances),
        count_signed(provenances).sentence,
        identification_sentence(add_up(provenances)),
    ]


def _readme(release: Release, provenances: Sequence[Mapping[str, Any]]) -> str:
    notes = f"\n{release.notes}\n" if release.notes else ""
    clips = f"{release.clip_count} clip{'' if release.clip_count == 1 else 's'}"
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
{proof_lines(release)}
The SHA-256 of `{SUMS}` itself is the content hash of this release:
`{release.content_hash}`

Quote with results: `{signature(release)}`
"""
