"""The hashes of the videos that a release contains."""

from __future__ import annotations

from annotate.models import Video
from review.exchange.files import measure, stored_chunks


def hash_playback(video: Video) -> None:
    video.playback_sha256, video.playback_size = measure(stored_chunks(video.playback_file))
    video.save(update_fields=["playback_sha256", "playback_size"])
