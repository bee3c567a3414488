"""Hash the frames of earlier videos, one after the other. Runs in a worker."""

from __future__ import annotations

from annotate.corpus.services.near_duplicates import store_hashes
from annotate.file_store import local_file
from annotate.jobs.kinds import Lease, Outcome, SingleWork
from annotate.media.frame_hashes import hash_playback
from annotate.models import Video
from annotate.models.jobs import AbstractJobItem, JobItem

COMPARED = Outcome("It was compared or deleted meanwhile.", state=AbstractJobItem.State.SKIPPED)


class CompareWork(SingleWork[JobItem, str]):
    def do(self, item: JobItem, lease: Lease) -> str:
        """Return the hashes of the video, nothing if it was hashed or deleted in the meantime."""
        video = _unhashed(item)
        if video is None:
            return ""
        lease.step("Reading frames")
        return hash_playback(local_file(video.playback_file), video.frames)

    def finish(self, item: JobItem, result: str) -> Outcome:
        video = _unhashed(item)
        if video is None:
            return COMPARED
        pairs = store_hashes(video=video, hashes=result)
        return Outcome(f"{pairs} that look{'s' if pairs == 1 else ''} alike" if pairs else "")


def _unhashed(item: JobItem) -> Video | None:
    return Video.objects.filter(pk=item.subject or 0, frame_hashes="").first()
