"""Make a video, its clip and its first work from a file's bytes. Runs in a worker."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from django.conf import settings
from django.db import OperationalError

from annotate import file_store
from annotate.errors import ItemFailed, ItemLost
from annotate.imports.services.downloading import download
from annotate.imports.services.recording import (
    FinishedFiles,
    Origin,
    record_video,
    refuse_duplicate,
)
from annotate.imports.services.refusals import FAILED, TRY_AGAIN, StorageFailed
from annotate.jobs.kinds import Lease, Outcome, SingleWork
from annotate.jobs.services.ending import end_if_done
from annotate.jobs.services.leases import Heartbeat, lease_end, own_row, take_items
from annotate.jobs.services.working import work_in_steps
from annotate.media.ingest import OnStep, Targets, ingest
from annotate.media.names import check_file_name
from annotate.media.probe import Limits, hash_file
from annotate.models import ImportBatch, ImportItem, Project

log = logging.getLogger(__name__)
State = ImportItem.State
OnProgress = Callable[[str, int], None]

WRITE_SECONDS = 1.0


def run_batch(*, batch: ImportBatch, on_progress: OnProgress | None = None) -> None:
    """Import the waiting files in this process. Their rows have the results."""
    batch = ImportBatch.objects.select_related("project", "created_by").get(pk=batch.pk)
    with Heartbeat() as heartbeat:
        items = take_items(batch, 1)
        heartbeat.hold(items)
        work_in_steps(batch, ImportWork(on_progress), heartbeat, items, ends=math.inf)
    end_if_done(batch.pk)


class ImportWork(SingleWork[ImportItem, FinishedFiles]):
    """Imports file by file; each attempt has its own folder until the video is stored."""

    def __init__(self, on_progress: OnProgress | None = None) -> None:
        self._on_progress = on_progress
        self._folder = ExitStack()

    def do(self, item: ImportItem, lease: Lease) -> FinishedFiles:
        own_row(item).update(step="Checking", progress=0)
        with _failing_in_words(item):
            progress = _Progress(item, self._on_progress)
            if item.address and not item.stored_file:
                download(item, progress)
            folder = self._folder.enter_context(file_store.scratch_folder(item.pk, item.attempts))
            return _make_files(item, folder, progress)

    def finish(self, item: ImportItem, result: FinishedFiles) -> Outcome:
        with _failing_in_words(item):
            video = record_video(_origin_of(item), result)
        return Outcome(values={"video_id": video.pk, "progress": 100})

    def attempted(self, item: ImportItem) -> None:
        """Remove the bytes unless another attempt may need them."""
        self._folder.close()
        row = ImportItem.objects.filter(pk=item.pk).values_list("state", "code").first()
        state, code = row or (State.CANCELLED, "")
        is_refused = state == State.FAILED and code not in TRY_AGAIN
        if is_refused or state in (State.DONE, State.CANCELLED):
            file_store.remove_incoming(item.pk)


@contextmanager
def _failing_in_words(item: ImportItem) -> Iterator[None]:
    """Raise ItemFailed, which says what to do, instead of technical errors."""
    try:
        yield
    except (ItemFailed, ItemLost, OperationalError):
        raise
    except OSError as error:
        log.exception("Import %s could not read or write its files.", item.pk)
        failure = StorageFailed(error)
        raise ItemFailed(failure.code, str(failure)) from error
    except Exception as error:
        log.exception("Import %s failed.", item.pk)
        raise ItemFailed("failed", FAILED) from error


def _make_files(item: ImportItem, folder: Path, progress: _Progress) -> FinishedFiles:
    check_file_name(item.name)
    return make_files(
        file_store.incoming_file(item.pk),
        folder,
        item.batch.project,
        on_step=lambda step, done: progress(step, 5 + round(90 * done)),
    )


def make_files(source: Path, folder: Path, project: Project, on_step: OnStep) -> FinishedFiles:
    """Check a source file, and make everything else from it in `folder`. Raises FileRefused for a
    file that the project has, and MediaError.
    """
    sha256 = hash_file(source)
    refuse_duplicate(project, sha256)
    targets = Targets(folder / "playback.mp4", folder / "poster.jpg", folder / "filmstrip.jpg")
    ingested = ingest(
        source,
        targets,
        _limits(project),
        on_step=on_step,
    )
    on_step("Storing", 1)
    return FinishedFiles(
        sha256=sha256,
        playback_sha256=hash_file(targets.playback),
        playback_size=targets.playback.stat().st_size,
        probe=ingested.probe,
        playback=ingested.playback,
        conversions=ingested.conversions,
        filmstrip=ingested.filmstrip,
        shots=ingested.shots,
        frame_hashes=ingested.frame_hashes,
        paths={
            "source_file": source,
            "playback_file": targets.playback,
            "poster_file": targets.poster,
            "filmstrip_file": targets.filmstrip,
        },
    )


def _origin_of(item: ImportItem) -> Origin:
    return Origin(
        project_id=item.batch.project_id,
        name=item.name,
        category=item.category,
        subcategory=item.subcategory,
        license=item.license,
        source_url=item.source_url,
        imported_by=item.batch.created_by,
    )


def _limits(project: Project) -> Limits:
    return Limits(
        max_bytes=settings.VERICAP_MAX_VIDEO_BYTES,
        max_seconds=settings.VERICAP_MAX_VIDEO_SECONDS,
        max_frames=settings.VERICAP_MAX_VIDEO_FRAMES,
        max_gigapixels=settings.VERICAP_MAX_VIDEO_GIGAPIXELS,
        min_seconds=project.min_clip_seconds,
        min_side=project.min_frame_side,
    )


class _Progress:
    """Writes step and percent to the row, about once a second.

    Raises ItemLost if the file no longer belongs to this attempt.
    """

    def __init__(self, item: ImportItem, on_progress: OnProgress | None) -> None:
        self.item = item
        self.on_progress = on_progress
        self.step = ""
        self.moment = 0.0

    def __call__(self, step: str, percent: int) -> None:
        now = time.monotonic()
        # A step can have a count, as in "Downloading, 5 MiB".
        step_name = step.partition(",")[0]
        if step_name == self.step and now - self.moment < WRITE_SECONDS:
            return
        self.step, self.moment = step_name, now
        if not own_row(self.item).update(step=step, progress=percent, lease_until=lease_end()):
            raise ItemLost
        if self.on_progress:
            self.on_progress(step, percent)
