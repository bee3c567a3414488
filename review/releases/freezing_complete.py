"""Freeze the complete clips of CaReBench's pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotate.bulk import in_batches
from annotate.models import Caption, Project, Video
from review.errors import ReviewError
from review.exchange.files import measured_file
from review.frozen.models import Release, ReleasedClip
from review.releases.content import content_hash
from review.releases.difference import Lists, checked_lists
from review.releases.freezing import (
    Build,
    MadeFile,
    conversions_of,
    files_of_clips,
    hashed_videos,
)
from review.releases.gates.findings import refuse_blocked
from review.releases.pseudonyms import Pseudonyms, caption_people, pseudonym
from review.releases.queries import chosen_clips
from review.releases.statements import IDENTIFIED, SIGNED_OFF_BY, identified_of, signers_of
from review.releases.writers.carebench import METADATA, Record, metadata_chunks, video_path
from review.releases.writers.spans import written_spans
from review.verification.completeness import CompleteClip, complete_rows

NOTHING_COMPLETE = (
    "No clip is complete yet. A clip is complete once it is written, merged and split."
)
NOTHING_CHOSEN = "No complete clip is left. Leave out fewer categories, or have clips signed off."


def freeze_complete(build: Build) -> Release:
    project = build.project
    content = chosen_clips(project, complete_rows(project), build.choice)
    rows = content.rows
    if not rows:
        raise ReviewError(NOTHING_CHOSEN if content.left_out else NOTHING_COMPLETE)
    refuse_blocked(content)
    videos = {video.pk: video for video in hashed_videos(row.video_id for row in rows)}
    files = files_of_clips(
        [(row.clip_id, row.video_id, row.spans_its_video) for row in rows], videos.values()
    )
    extra = _what_experts_and_readers_did(project, rows)
    lists = checked_lists(project, rows)
    metadata = measured_file(METADATA, lambda: metadata_chunks(_records(rows, lists)))
    hashes = [(METADATA, metadata.sha256)]
    hashes += [(video_path(row.file_name), files[row.clip_id].sha256) for row in rows]
    release = build.store(
        Release.Format.CAREBENCH,
        clip_count=len(rows),
        content_hash=content_hash(hashes),
        video_size=sum(file.size for file in files.values()),
        files=[metadata],
        names=[(row.clip_id, row.file_name) for row in rows],
    )
    _freeze_clips(release, rows, videos, files, lists, extra)
    return release


def _records(rows: Sequence[CompleteClip], lists: dict[int, Lists]) -> Iterator[Record]:
    for batch in in_batches(rows):
        keys = [row.texts for row in batch]
        of_batch = Caption.objects.filter(pk__in=[key for trio in keys for key in trio])
        captions = of_batch.only("text", "spans").in_bulk()
        for row, trio in zip(batch, keys, strict=True):
            full, spatial, temporal = (captions[key] for key in trio)
            yield (
                row.file_name,
                full.text,
                spatial.text,
                temporal.text,
                row.category,
                row.subcategory,
                *lists[row.clip_id],
                written_spans(full.spans),
                written_spans(spatial.spans),
                written_spans(temporal.spans),
            )


def _freeze_clips(
    release: Release,
    rows: Sequence[CompleteClip],
    videos: dict[int, Video],
    files: dict[int, MadeFile],
    lists: dict[int, Lists],
    extra: dict[int, dict[str, object]],
) -> None:
    people = caption_people(release.project)
    for batch in in_batches(rows):
        authors = _authors(people, batch)
        of_set = _data_sets(batch)
        ReleasedClip.objects.bulk_create(
            ReleasedClip(
                release=release,
                clip_id=row.clip_id,
                file_name=row.file_name,
                category=row.category,
                subcategory=row.subcategory,
                caption_id=row.caption_id,
                spatial_caption_id=row.spatial_id,
                temporal_caption_id=row.temporal_id,
                checked_events=lists[row.clip_id][0],
                checked_objects=lists[row.clip_id][1],
                video_sha256=files[row.clip_id].sha256,
                video_size=files[row.clip_id].size,
                provenance=_provenance(
                    row, videos[row.video_id], authors, of_set.get(row.caption_id, "")
                )
                | extra[row.clip_id],
            )
            for row in batch
        )


def _what_experts_and_readers_did(
    project: Project, rows: Sequence[CompleteClip]
) -> dict[int, dict[str, object]]:
    """Return, by clip, who signed off its texts and how often people identified it by one."""
    extra: dict[int, dict[str, object]] = {row.clip_id: {} for row in rows}
    for clip, signers in signers_of(project, rows).items():
        extra[clip][SIGNED_OFF_BY] = signers
    for clip, counts in identified_of(project, rows).items():
        extra[clip][IDENTIFIED] = counts
    return extra


def _provenance(
    row: CompleteClip,
    video: Video,
    authors: dict[int, tuple[str | None, list[str | None]]],
    data_set: str,
) -> dict[str, object]:
    """Return the provenance. `data_set`: the published data set that the captions come from, empty
    if people in the project wrote them.
    """
    merged_by, writers = authors[row.caption_id]
    split_by, _ = authors[row.spatial_id]
    of_video: dict[str, object] = {
        "licence": video.license,
        "source_url": video.source_url,
        "source_sha256": video.sha256,
        "frames": row.end_frame - row.start_frame,
        "fps": str(video.fps),
        **conversions_of(video),
    }
    if not row.spans_its_video:
        of_video |= {
            "source_name": video.original_name,
            "source_start_frame": row.start_frame,
            "source_end_frame": row.end_frame,
        }
    if data_set:
        return {**of_video, "captions_from": data_set}
    return {
        **of_video,
        "written_by": writers,
        "merged_by": merged_by,
        "split_by": split_by,
    }


def _authors(
    people: Pseudonyms, rows: Sequence[CompleteClip]
) -> dict[int, tuple[str | None, list[str | None]]]:
    """Return (author, authors of its parents in the order they wrote) of each caption, by their
    numbers."""
    captions = [pk for row in rows for pk in (row.caption_id, row.spatial_id)]
    of_caption: dict[int, tuple[str | None, list[str | None]]] = {}
    links = (
        Caption.objects.filter(pk__in=captions)
        .order_by("pk", "parents__pk")
        .values_list("pk", "author_id", "parents__author_id")
    )
    for pk, author, parent in links:
        by, of_parent = pseudonym(people, author), pseudonym(people, parent)
        of_caption.setdefault(pk, (by, []))[1].append(of_parent)
    return of_caption


def _data_sets(rows: Sequence[CompleteClip]) -> dict[int, str]:
    """Return the published data set of each caption that comes from one."""
    published = Caption.objects.filter(
        pk__in=[row.caption_id for row in rows], source=Caption.Source.PUBLISHED
    )
    return {caption.pk: caption.data_set for caption in published}
