"""What releases of every form have in common when they are frozen: the row of the release, and the
files of its clips and videos with their hashes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from django.db.models import F, QuerySet

from annotate.bulk import in_batches
from annotate.corpus.conversions import CONVERSIONS
from annotate.corpus.services.clip_files import cut_clip
from annotate.models import Clip, ClipFile, Project, User, Video
from review.exchange.files import ExportFile, measure, stored_chunks, text_file
from review.frozen.models import Release
from review.proof.freezing import StoredProof
from review.proof.released_values import with_released
from review.proof.verifying.values import Named
from review.releases.choice import Choice

BATCH_SIZE = 500


@dataclass(frozen=True)
class Build:
    """The build of a release. `proof`: the reports, from `freeze_reports`."""

    project: Project
    version: str
    admin: User | None
    notes: str
    proof: StoredProof
    choice: Choice

    def store(
        self,
        format: Release.Format,
        *,
        clip_count: int,
        content_hash: str,
        video_size: int,
        files: Sequence[ExportFile],
        names: Iterable[tuple[int, str]],
        not_counted: Sequence[str] = (),
        assessment_files: dict[str, str] | None = None,
        triplet_facts: dict[str, Any] | None = None,
    ) -> Release:
        """Store the row of the release. `files`: those of its content but the videos.
        `names`: clips with their items in the files. `not_counted`: the programs in them."""
        has_one = format == Release.Format.CAREBENCH
        proof = with_released(
            self.project,
            self.proof,
            format,
            [*files, *(text_file(*file) for file in (assessment_files or {}).items())],
            [Named(*row) for row in names],
            tuple(not_counted),
        )
        return Release.objects.create(
            project=self.project,
            version=self.version,
            format=format,
            project_name=self.project.name,
            license=self.project.license,
            notes=self.notes.strip(),
            created_by=self.admin,
            clip_count=clip_count,
            content_hash=content_hash,
            metadata_sha256=files[0].sha256 if has_one else "",
            metadata_size=sum(file.size for file in files),
            video_size=video_size,
            caption_files=[]
            if has_one
            else [[file.path, file.size, file.sha256] for file in files],
            assessment_files=assessment_files,
            triplet_facts=triplet_facts,
            proof=asdict(proof),
        )


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


def hashed_videos(keys: Iterable[int]) -> Iterator[Video]:
    """Yield these videos, with their hashes."""
    for batch in in_batches(dict.fromkeys(keys)):
        videos = Video.objects.defer("shots", "filmstrip")
        for video in videos.in_bulk(batch).values():
            # Its clip can have become complete since the files were hashed.
            if not video.playback_sha256:
                hash_playback(video)
            yield video


def files_of_clips(
    clips: Sequence[tuple[int, int, bool]], videos: Iterable[Video]
) -> dict[int, MadeFile]:
    """Return the file of each clip: that of its video if it spans it, or its own. `clips`: the keys
    of each and of its video, and whether it spans it. `videos`: of those that do, and others."""
    files = files_of_parts(clip for clip, _, spans_video in clips if not spans_video)
    wholes = {video: clip for clip, video, spans_video in clips if spans_video}
    for video in videos:
        if video.pk in wholes:
            files[wholes[video.pk]] = MadeFile(video.playback_size, video.playback_sha256)
    return files


def files_of_parts(keys: Iterable[int]) -> dict[int, MadeFile]:
    """Return the files of clips that are parts of videos, by clip."""
    files: dict[int, MadeFile] = {}
    for batch in in_batches(keys):
        rows = ClipFile.objects.filter(clip__in=batch)
        for clip, size, sha256 in rows.values_list("clip", "size", "sha256"):
            files[clip] = MadeFile(size, sha256)
        for key in batch:
            if key not in files:  # It can have become complete since the others were cut.
                file = cut_clip(Clip.objects.for_corpus().get(pk=key))
                files[key] = MadeFile(file.size, file.sha256)
    return files


def provenance_of(video: Video, frames: int) -> dict[str, Any]:
    """Return where a video with so many frames is from; they can be a part of it."""
    return {
        "licence": video.license,
        "source_name": video.original_name,
        "source_url": video.source_url,
        "source_sha256": video.sha256,
        "frames": frames,
        "fps": str(video.fps),
        **conversions_of(video),
    }


def conversions_of(video: Video) -> dict[str, Any]:
    """Return what the import changed in the pictures, under its key, if anything."""
    return {key: video.probe[key] for key in (CONVERSIONS,) if key in video.probe}
