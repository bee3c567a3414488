"""manage.py hash_videos PROJECT"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage
from django.core.management.base import CommandParser

from annotate.corpus.services.near_duplicates import store_hashes
from annotate.management.lookup import find_project
from annotate.management.quick import QuickCommand
from annotate.models import Video


class Command(QuickCommand):
    help = (
        "Hash the frames of videos that were imported before Vericap did so, and list those that "
        "look alike under Corpus, Near-duplicates."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="the project's short name, as in its address")

    def handle(self, *, project: str, **options: Any) -> None:
        # Imported here: it loads the video libraries.
        from annotate.media.frame_hashes import hash_playback

        videos = Video.objects.filter(project=find_project(project), frame_hashes="")
        pairs = hashed = 0
        for key in list(videos.order_by("pk").values_list("pk", flat=True)):
            video = videos.get(pk=key)
            path = Path(default_storage.path(video.playback_file))
            pairs += store_hashes(video=video, hashes=hash_playback(path, video.frames))
            hashed += 1
        self.stdout.write(f"Videos hashed: {hashed}. Pairs that look alike: {pairs}.")
