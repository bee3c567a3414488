"""One file from its bytes to a video with its clip and its first work. Runs in a worker."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from django.conf import settings
from django.db import DatabaseError, OperationalError, connection
from django.db.models import F
from django.utils import timezone

from annotate import file_store
from annotate.imports.services.recording import (
    FinishedFiles,
    Overtaken,
    record_video,
    refuse_duplicate,
)
from annotate.imports.services.refusals import FAILED, FileRefused, StorageFailed, refuse
from annotate.media.errors import MediaError
from annotate.media.ingest import Targets, ingest
from annotate.media.names import check_file_name
from annotate.media.probe import Limits, hash_file
from annotate.models import ImportItem, Project

log = logging.getLogger(__name__)
State = ImportItem.State
OnProgress = Callable[[str, int], None]

BEAT_SECONDS = 20
WRITE_SECONDS = 1.0


def run_import(*, item_id: int, on_progress: OnProgress | None = None) -> None:
    """Import a queued file. Its row tells the result; what isn't queued is left alone.

    Raises OperationalError, with the file back in the queue, when the database was away.
    """
    item = _take(item_id)
    if item is None:
        return
    try:
        with (
            file_store.scratch_folder(item.pk, item.attempts) as folder,
            _sign_of_life(item),
        ):
            record_video(item, _make_files(item, folder, _Progress(item, on_progress)))
    except Overtaken:
        log.warning("Import %s was taken up by another worker; this one stops.", item.pk)
        return
    except (MediaError, FileRefused) as error:
        refuse(item, error.code, str(error))
    except OperationalError:
        _put_back(item)
        raise
    except OSError as error:
        log.exception("Import %s could not read or write its files.", item.pk)
        failure = StorageFailed(error)
        refuse(item, failure.code, str(failure))
    except Exception:
        log.exception("Import %s failed.", item.pk)
        refuse(item, "failed", FAILED)
    else:
        file_store.remove_incoming(item.pk)


def _take(item_id: int) -> ImportItem | None:
    """Mark the row as ours. The attempt's number tells this worker from any later one."""
    mine = ImportItem.objects.filter(pk=item_id, state=State.QUEUED).update(
        state=State.RUNNING,
        step="Checking",
        progress=0,
        attempts=F("attempts") + 1,
        updated_at=timezone.now(),
    )
    if not mine:
        return None
    return ImportItem.objects.select_related("batch__project", "batch__created_by").get(pk=item_id)


def _make_files(item: ImportItem, folder: Path, progress: _Progress) -> FinishedFiles:
    source = file_store.incoming_file(item.pk)
    check_file_name(item.name)
    sha256 = hash_file(source)
    refuse_duplicate(item.batch.project, sha256)
    targets = Targets(folder / "playback.mp4", folder / "poster.jpg", folder / "filmstrip.jpg")
    made = ingest(
        source,
        targets,
        _limits(item.batch.project),
        on_step=lambda step, done: progress(step, 5 + round(90 * done)),
    )
    progress("Storing", 98)
    return FinishedFiles(
        sha256=sha256,
        playback_sha256=hash_file(targets.playback),
        playback_size=targets.playback.stat().st_size,
        probe=made.probe,
        playback=made.playback,
        filmstrip=made.filmstrip,
        shots=made.shots,
        paths={
            "source_file": source,
            "playback_file": targets.playback,
            "poster_file": targets.poster,
            "filmstrip_file": targets.filmstrip,
        },
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


def _put_back(item: ImportItem) -> None:
    try:
        ImportItem.objects.filter(pk=item.pk, state=State.RUNNING, attempts=item.attempts).update(
            state=State.QUEUED, step="", progress=0, updated_at=timezone.now()
        )
    except DatabaseError:
        log.exception("Import %s stays as running until requeue_imports.", item.pk)


class _Progress:
    """Writes step and percent to the row, about once a second."""

    def __init__(self, item: ImportItem, on_progress: OnProgress | None) -> None:
        self.item = item
        self.on_progress = on_progress
        self.step = ""
        self.moment = 0.0

    def __call__(self, step: str, percent: int) -> None:
        now = time.monotonic()
        if step == self.step and now - self.moment < WRITE_SECONDS:
            return
        self.step, self.moment = step, now
        _touch(self.item, step=step, progress=percent)
        if self.on_progress:
            self.on_progress(step, percent)


def _touch(item: ImportItem, **changes: str | int) -> None:
    still_ours = ImportItem.objects.filter(
        pk=item.pk, state=State.RUNNING, attempts=item.attempts
    ).update(updated_at=timezone.now(), **changes)
    if not still_ours:
        raise Overtaken


@contextmanager
def _sign_of_life(item: ImportItem) -> Iterator[None]:
    """Touches the row from a thread, since decoding a long file says nothing for minutes."""
    done = Event()
    thread = Thread(target=_beat, args=(item, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _beat(item: ImportItem, done: Event) -> None:
    while not done.wait(BEAT_SECONDS):
        try:
            _touch(item)
        except Overtaken:
            return  # the main thread finds out at its next step
        except DatabaseError:
            log.warning("Import %s could not show that it is alive.", item.pk)
        finally:
            connection.close()
