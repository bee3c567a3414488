"""The videos of the demo, imported as people would import them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from django.db import connection

from annotate.imports.services import add_item, copy_file, open_batch
from annotate.models import ImportBatch, ImportItem, Project
from fixtures.demo_content import Video
from fixtures.real_clips import real_clips
from fixtures.stored import stored_video
from review.errors import ReviewError
from review.management.past import DAYS, days_ago

IMPORTS_AT_ONCE = 2


def import_demo_videos(
    project: Project,
    videos: Sequence[Video],
    report: Callable[[str], None],
    *,
    days: float = DAYS + 0.5,
) -> None:
    """Import the videos that the project lacks. `days`: how long ago. Raises ReviewError."""
    present = set(project.videos.values_list("original_name", flat=True))
    missing = [video for video in videos if video.file not in present]
    if not missing:
        return
    report(f"Importing {len(missing)} video{'' if len(missing) == 1 else 's'} ...")
    files = _files(missing)
    with days_ago(days):
        batch = open_batch(project=project, admin=None)
        for video in missing:
            source = files[video.file]
            item = add_item(
                batch=batch,
                name=video.file,
                size=source.stat().st_size,
                category=video.category,
                subcategory=video.subcategory,
                license=video.license,
                source_url=video.source_url,
            )
            copy_file(item=item, source=source, queue=False)
        with ThreadPoolExecutor(IMPORTS_AT_ONCE) as pool:
            list(pool.map(_run_imports, [batch] * IMPORTS_AT_ONCE))
    refused = batch.items.exclude(state=ImportItem.State.DONE).order_by("position")
    if refused:
        raise ReviewError(" ".join(f"{item.name}: {item.reason}" for item in refused))


def _files(videos: list[Video]) -> dict[str, Path]:
    files = {video.file: stored_video(video.file) for video in videos if video.origin != "real"}
    return {**files, **(real_clips() if any(v.origin == "real" for v in videos) else {})}


def _run_imports(batch: ImportBatch) -> None:
    # Import here, because it loads the video libraries.
    from annotate.imports.services.running import run_batch

    try:
        run_batch(batch=batch)
    finally:
        connection.close()  # each thread has its own
