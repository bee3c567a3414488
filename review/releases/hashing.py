"""The files of the clips and videos that a release contains, with their hashes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.db.models import F, QuerySet

from annotate.corpus.services.clip_files import cut_clip
from annotate.models import Clip, ClipFile, Video
from review.exchange.files import measure, stored_chunks

AT_ONCE = 500


class MadeFile(NamedTuple):
    size: int
    sha256: str


def hash_playback(video: Video) -> None:
    video.playback_sha256, video.playback_size = measure(stored_chunks(video.playback_file))
    video.save(update_fields=["playback_sha256", "playback_size"])


def hash_videos_of(clips: QuerySet[Clip], step: Callable[[str], None]) -> None:
    """Hash the files of the clips' videos without a hash; call `step` before each. Call it outside
    any transaction, which would block other writers.
    """
    unknown = list(
        Video.objects.filter(playback_sha256="", pk__in=clips.order_by().values("video_id")).only(
            "playback_file"
        )
    )
    for number, video in enumerate(unknown, 1):
        step(f"Reading video {number:,} of {len(unknown):,}")
        hash_playback(video)


def cut_parts(clips: QuerySet[Clip], step: Callable[[str], None]) -> None:
    """Cut the clips that are parts of videos into files, unless they have one; call `step` before
    each. Finished files stay if the work is interrupted. Call it outside any transaction.
    """
    parts = clips.exclude(start_frame=0, end_frame=F("video__frames")).filter(file=None)
    keys = list(parts.order_by("video", "start_frame", "pk").values_list("pk", flat=True))
    for number, key in enumerate(keys, 1):
        step(f"Cutting clip {number:,} of {len(keys):,}")
        cut_clip(Clip.objects.for_corpus().get(pk=key))


def files_of_parts(keys: Iterable[int]) -> dict[int, MadeFile]:
    """Return the files of clips that are parts of videos, by clip."""
    keys = list(keys)
    files: dict[int, MadeFile] = {}
    for start in range(0, len(keys), AT_ONCE):
        rows = ClipFile.objects.filter(clip__in=keys[start : start + AT_ONCE])
        files |= {
            clip: MadeFile(size, sha256)
            for clip, size, sha256 in rows.values_list("clip", "size", "sha256")
        }
        for key in keys[start : start + AT_ONCE]:
            if key not in files:  # It can have become complete since the others were cut.
                made = cut_clip(Clip.objects.for_corpus().get(pk=key))
                files[key] = MadeFile(made.size, made.sha256)
    return files
