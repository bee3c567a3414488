"""Imports by a real worker: a batch, a worker killed in the middle, messages that got lost."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from annotate.file_store import incoming_file, video_names
from annotate.imports.services import open_batch
from annotate.models import AuditEvent, Clip, ImportBatch, ImportItem, Video, WorkItem
from tests.annotate.media.render import render

State = ImportItem.State
# A worker that stays in the middle of a conversion.
STAYING = """
import runpy, sys, time
from annotate.media import ingest as module
ingest = module.ingest
def staying(*files, on_step):
    def step(name, done):
        on_step(name, done)
        if done > 0.5:
            time.sleep(600)
    return ingest(*files, on_step=step)
module.ingest = staying
sys.argv = sys.argv[2:]  # what follows -m
runpy.run_module("celery", run_name="__main__")
"""


@pytest.fixture
def batch(project, ada) -> ImportBatch:
    return open_batch(project=project, admin=ada)


def queue(worker, batch: ImportBatch, *files: Path) -> list[ImportItem]:
    worker.run("-m", "tests.services.queue_files", str(batch.pk), *map(str, files))
    return list(batch.items.order_by("position"))


def have_ended() -> bool:
    """Whether every file has been imported or refused, and what was uploaded is removed."""
    unfinished = ImportItem.objects.exclude(state__in=[State.DONE, State.FAILED])
    folders = [incoming_file(item.pk).parent for item in ImportItem.objects.all()]
    return not unfinished.exists() and not any(folder.exists() for folder in folders)


def kept_files(item: ImportItem, source: Path) -> set[str]:
    """Which of the files of the video that `source` becomes are in the storage."""
    sha256 = hashlib.sha256(source.read_bytes()).hexdigest()
    names = video_names(item.batch.project_id, sha256, "mp4")
    return {field for field, name in names.items() if default_storage.exists(name)}


def assert_imported_once(item: ImportItem, source: Path, *, attempts: int) -> None:
    item.refresh_from_db()
    assert (item.state, item.reason, item.attempts) == (State.DONE, "", attempts)
    video = Video.objects.get(original_name=item.name)
    assert item.video == video
    clip = Clip.objects.get(video=video)
    assert (clip.name, clip.end_frame) == (source.stem, video.frames)
    work = WorkItem.objects.get(clip=clip)
    assert (work.kind, work.state, work.open_slots) == ("write", "open", 2)
    assert AuditEvent.objects.filter(verb="import", object_id=video.pk).count() == 1
    assert kept_files(item, source) == {
        "source_file", "playback_file", "poster_file", "filmstrip_file",
    }  # fmt: skip
    assert not incoming_file(item.pk).parent.exists()


def test_the_good_file_of_a_batch_comes_in_and_the_bad_ones_say_why(worker, batch, tmp_path):
    dive = render(tmp_path / "dive.mp4", frames=25)
    truncated, text = tmp_path / "truncated.mp4", tmp_path / "text.mp4"
    truncated.write_bytes(dive.read_bytes()[: dive.stat().st_size // 2])
    text.write_text("just words\n" * 20)

    items = queue(worker, batch, dive, truncated, text)
    worker.wait_for(have_ended, "end of the batch")

    assert_imported_once(items[0], dive, attempts=1)
    for item in items[1:]:
        item.refresh_from_db()
        assert not incoming_file(item.pk).parent.exists()
    assert [(item.state, item.code) for item in items[1:]] == [
        (State.FAILED, "truncated"),
        (State.FAILED, "not_a_video"),
    ]
    assert all(item.reason.endswith(".") for item in items[1:])
    assert (Video.objects.count(), Clip.objects.count(), WorkItem.objects.count()) == (1, 1, 1)


def test_what_a_killed_worker_left_is_imported_exactly_once(idle_worker, batch, tmp_path):
    # Browsers don't play this codec, so it is converted.
    dive = render(tmp_path / "dive.mp4", frames=50, codec="mpeg4")
    (item,) = queue(idle_worker, batch, dive)
    idle_worker.start("-c", STAYING)
    idle_worker.wait_for(
        lambda: ImportItem.objects.filter(
            state=State.RUNNING, step="Converting", progress__gt=0
        ).exists(),
        "import under way",
    )
    idle_worker.kill()

    item.refresh_from_db()
    assert (item.state, item.attempts, item.video) == (State.RUNNING, 1, None)
    assert item.progress > 0
    assert (Video.objects.count(), Clip.objects.count(), WorkItem.objects.count()) == (0, 0, 0)
    assert kept_files(item, dive) == set()
    assert incoming_file(item.pk).read_bytes() == dive.read_bytes()

    # As if the lease had ended: the next worker sees that and continues.
    ImportItem.objects.filter(pk=item.pk).update(lease_until=timezone.now())
    idle_worker.start()
    # A broker may also deliver the message of the killed worker again.
    idle_worker.send("annotate.work_on_job", item.batch_id, queue="media")
    log = idle_worker.log
    idle_worker.wait_for(lambda: log.read_text().count(" succeeded in ") == 2, "second message")
    assert_imported_once(item, dive, attempts=2)
    assert Video.objects.count() == 1


def test_files_whose_messages_are_lost_for_good_are_imported(idle_worker, batch, tmp_path):
    dives = [render(tmp_path / f"dive{n}.mp4", frames=25, first=n) for n in range(2)]
    items = queue(idle_worker, batch, *dives)
    assert idle_worker.lose_messages("media") == 2
    assert {item.state for item in items} == {State.WAITING}

    idle_worker.start()
    assert idle_worker.manage("requeue_jobs", "--force") == "1 job queued again.\n"
    idle_worker.wait_for(have_ended, "end of the batch")
    for item, dive in zip(items, dives, strict=True):
        assert_imported_once(item, dive, attempts=1)
