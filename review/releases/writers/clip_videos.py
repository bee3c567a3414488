"""The videos of the clips of a release in CaReBench's and TF-CoVR's form."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, TypeVar

from django.db.models import QuerySet

from review.exchange.files import ExportFile, stored_chunks
from review.frozen.models import ReleasedClip, ReleasedTripletClip
from review.releases.writers.folder import listed
from review.releases.writers.key_order import in_order

Frozen = TypeVar("Frozen", ReleasedClip, ReleasedTripletClip)


def with_files(clips: QuerySet[Frozen], *names: str) -> list[Frozen]:
    """Return the clips with what `clip_video` and `clip_entries` need, and these columns."""
    return list(
        clips.select_related("clip__video", "clip__file").only(
            *("release_id", "video_sha256", "video_size", "provenance"),
            *("clip__start_frame", "clip__end_frame", "clip__file__name"),
            *("clip__video__frames", "clip__video__playback_file"),
            *names,
        )
    )


def clip_video(released: ReleasedClip | ReleasedTripletClip, path: str) -> ExportFile:
    clip = released.clip
    stored = clip.video.playback_file if clip.spans_its_video else clip.file.name
    read = partial(stored_chunks, stored)
    return ExportFile(path, released.video_size, released.video_sha256, read)


def clip_entries(
    files: Iterable[ExportFile], clips: Iterable[Frozen], order: tuple[str, ...]
) -> list[dict[str, Any]]:
    """Return a manifest's entries about the clips, whose videos are these files. `order`: of the
    keys of their provenance."""
    return [
        entry | in_order(clip.provenance, order)
        for entry, clip in zip(listed(files), clips, strict=True)
    ]
