"""One file to a video, or to a reason; only the disk and the database are made to fail."""

import errno
import hashlib
import threading
from fractions import Fraction
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError, connection
from django.urls import reverse

from annotate import file_store
from annotate.imports.services import add_item, append_chunk, copy_file, open_batch, running
from annotate.imports.services.recording import free_clip_name
from annotate.jobs.tasks import work_on_job
from annotate.models import AuditEvent, Clip, ImportItem, Video, WorkItem
from tests.annotate.media.render import render
from tests.cast import client_of, make_project
from tests.import_work import run_import
from tests.media import FPS, FRAMES, HEIGHT, WIDTH, draw_frame

CASES = Path(__file__).parents[2] / "cases"


def test_a_file_becomes_a_video_a_clip_and_work(project, upload, real_bytes, ada, stored_files):
    item = upload(
        real_bytes, "v_00000044_3.mp4", category="Sports", subcategory="Diving",
        license="CC0", source_url="https://example.org/dive",
    )  # fmt: skip
    run_import(item_id=item.pk)

    video = Video.objects.get()
    item.refresh_from_db()
    assert (item.state, item.progress, item.video, item.reason) == ("done", 100, video, "")
    assert (video.frames, video.fps, video.width, video.height) == (FRAMES, FPS, WIDTH, HEIGHT)
    assert (video.category, video.subcategory, video.license, video.source_url) == (
        "Sports", "Diving", "CC0", "https://example.org/dive",
    )  # fmt: skip
    assert video.imported_by == ada
    assert Fraction(video.probe["fps"]) == FPS
    assert Fraction(video.probe["duration"]) == Fraction(FRAMES, FPS)
    assert video.probe["rotation"] == 0
    assert video.filmstrip["frames"] == sorted(video.filmstrip["frames"])

    clip = Clip.objects.get()
    assert (clip.name, clip.start_frame, clip.end_frame) == ("v_00000044_3", 0, FRAMES)
    assert clip.duration_ms == 2000
    work = WorkItem.objects.get()
    assert (work.clip, work.kind, work.needed, work.open_slots) == (clip, "write", 2, 2)
    assert AuditEvent.objects.get(verb="import").object_id == video.pk

    folder = f"projects/{project.pk}/videos/{video.sha256[:2]}/{video.sha256}/"
    assert stored_files() == [
        folder + name for name in ("filmstrip.jpg", "playback.mp4", "poster.jpg", "source.mp4")
    ]
    assert default_storage.open(video.source_file).read() == real_bytes
    playback = default_storage.open(video.playback_file).read()
    assert video.playback_sha256 == hashlib.sha256(playback).hexdigest()
    assert video.playback_size == len(playback)


def test_nobody_is_asked_to_write_where_models_caption(project, upload, real_bytes):
    project.protocol = "lovr"
    project.save()
    run_import(item_id=upload(real_bytes).pk)
    assert (Clip.objects.count(), WorkItem.objects.count()) == (1, 0)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (lambda real: real[: len(real) // 2], "truncated"),
        (lambda real: b"just words " * 20, "not_a_video"),
        (lambda real: b"#EXTM3U\nfile:///etc/passwd\n", "playlist"),
    ],
    ids=["truncated", "text", "playlist"],
)
def test_a_bad_file_is_refused_and_leaves_nothing_but_its_row(
    upload, real_bytes, stored_files, data, code
):
    item = upload(data(real_bytes))
    run_import(item_id=item.pk)
    item.refresh_from_db()
    assert (item.state, item.code, item.video) == ("failed", code, None)
    assert item.reason.endswith(".")
    assert stored_files() == []
    assert (Video.objects.count(), Clip.objects.count(), WorkItem.objects.count()) == (0, 0, 0)


def test_a_file_over_the_length_limit_is_refused(upload, real_bytes, settings, stored_files):
    settings.VERICAP_MAX_VIDEO_SECONDS = 1
    item = upload(real_bytes)
    run_import(item_id=item.pk)
    item.refresh_from_db()
    assert (item.state, item.code, stored_files()) == ("failed", "too_long", [])


def test_a_bad_file_does_no_harm_to_its_neighbors(upload, real_bytes):
    items = [upload(b"words" * 30, "a.mp4"), upload(real_bytes, "b.mp4")]
    for item in items:
        run_import(item_id=item.pk)
    states = ImportItem.objects.order_by("position").values_list("state", flat=True)
    assert list(states) == ["failed", "done"]


def test_the_same_bytes_again_are_refused_and_named(upload, real_bytes, stored_files):
    run_import(item_id=upload(real_bytes, "first.mp4").pk)
    before = stored_files()
    again = upload(real_bytes, "second.mp4")
    run_import(item_id=again.pk)
    again.refresh_from_db()
    assert (again.state, again.code) == ("failed", "duplicate")
    assert "first.mp4" in again.reason
    assert stored_files() == before


def test_the_same_bytes_may_be_in_two_projects(upload, real_bytes, ada):
    run_import(item_id=upload(real_bytes).pk)
    other = open_batch(project=make_project("Other"), admin=ada)
    item = add_item(batch=other, name="dive.mp4", size=len(real_bytes))
    run_import(item_id=append_chunk(item=item, offset=0, data=real_bytes).pk)
    assert Video.objects.values("project").distinct().count() == 2


def test_running_it_twice_is_running_it_once(upload, real_bytes):
    item = upload(real_bytes)
    run_import(item_id=item.pk)
    work_on_job(item.batch_id)
    item.refresh_from_db()
    assert (item.state, item.attempts, Video.objects.count()) == ("done", 1, 1)


@pytest.mark.django_db(transaction=True)
def test_two_workers_on_one_file_make_one_video(upload, real_bytes, stored_files):
    item = upload(real_bytes)
    run_at_once([item.pk, item.pk])
    item.refresh_from_db()
    assert (item.state, item.attempts, Video.objects.count()) == ("done", 1, 1)
    assert len(stored_files()) == 4


@pytest.mark.django_db(transaction=True)
def test_two_workers_with_the_same_bytes_make_one_video(upload, real_bytes, stored_files):
    items = [upload(real_bytes, "a.mp4"), upload(real_bytes, "b.mp4")]
    run_at_once([item.pk for item in items])
    rows = ImportItem.objects.order_by("state").values_list("state", "code")
    assert list(rows) == [("done", ""), ("failed", "duplicate")]
    assert (Video.objects.count(), Clip.objects.count(), len(stored_files())) == (1, 1, 4)


def test_a_worker_that_lost_its_lease_stores_nothing(upload, real_bytes, monkeypatch):
    item = upload(real_bytes)
    ingest = running.ingest

    def meanwhile(*args, **options):
        ImportItem.objects.filter(pk=item.pk).update(attempts=2)
        return ingest(*args, **options)

    monkeypatch.setattr(running, "ingest", meanwhile)
    run_import(item_id=item.pk)
    item.refresh_from_db()
    assert (item.state, item.attempts, Video.objects.count()) == ("running", 2, 0)
    assert file_store.incoming_file(item.pk).exists()


def test_a_full_disk_keeps_the_upload_to_be_tried_again(
    upload, real_bytes, monkeypatch, stored_files
):
    item = upload(real_bytes)

    def full(files):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(file_store, "keep_files", full)
        run_import(item_id=item.pk)
    item.refresh_from_db()
    assert (item.state, item.code) == ("failed", "disk_full")
    assert (Video.objects.count(), stored_files()) == (0, [file_store.incoming_name(item.pk)])


def test_a_fault_after_the_files_are_stored_takes_them_out_again(
    upload, real_bytes, monkeypatch, stored_files
):
    from annotate.imports.services import recording

    def broken(**_):
        raise RuntimeError("no work today")

    item = upload(real_bytes)
    monkeypatch.setattr(recording, "open_writing", broken)
    run_import(item_id=item.pk)
    item.refresh_from_db()
    assert (item.state, item.code) == ("failed", "failed")
    assert (Video.objects.count(), Clip.objects.count()) == (0, 0)
    assert stored_files() == [file_store.incoming_name(item.pk)]


def test_a_lost_database_puts_the_file_back_and_is_reported_to_the_worker(
    upload, real_bytes, monkeypatch
):
    item = upload(real_bytes)

    def away(*_):
        raise OperationalError("server closed the connection")

    monkeypatch.setattr(running, "record_video", away)
    with pytest.raises(OperationalError):
        run_import(item_id=item.pk)
    item.refresh_from_db()
    assert item.state == "waiting"


def test_progress_is_reported_in_order(upload, real_bytes):
    reports = []
    running.run_batch(
        batch=upload(real_bytes).batch,
        on_progress=lambda step, percent: reports.append((step, percent)),
    )
    steps = list(dict.fromkeys(step for step, _ in reports))
    assert steps == ["Reading", "Storing"]  # nothing to convert: its packets are copied
    assert [percent for _, percent in reports] == sorted(percent for _, percent in reports)


def test_the_playback_shows_the_frames_of_the_source(upload, real_bytes, media_root):
    import av
    import numpy as np

    run_import(item_id=upload(real_bytes).pk)
    with av.open(str(media_root / Video.objects.get().playback_file)) as container:
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    for number in (0, 24, 49):
        lit = np.flatnonzero(frames[number][90, :, 0] > 180)
        drawn = np.flatnonzero(draw_frame(number)[90, :, 0] > 180)
        assert abs(int(lit[0]) - int(drawn[0])) <= 2


@pytest.mark.parametrize(
    ("file_name", "clip_name"),
    [
        ("v_00000044_3.mp4", "v_00000044_3"),
        ("a dive, take 2.mov", "a_dive_take_2"),
        ("<b>&'\".mp4", "_b_"),
        ("Tauchen Grüße.mp4", "Tauchen_Grüße"),
        ("...mp4", "clip"),
        ("x" * 196 + ".mp4", "x" * 180),
    ],
)
def test_a_clip_is_named_after_its_file(project, file_name, clip_name):
    assert free_clip_name(project, file_name) == clip_name


def test_a_clip_name_that_is_taken_gets_a_number(project, make_playable_clip):
    for name, expected in (("a.mp4", "a-2"), ("a-2.mp4", "a-3")):
        make_playable_clip(project, original_name=name)
        assert free_clip_name(project, "a.mov") == expected


def test_a_copied_file_imports_like_an_uploaded_one(batch, rendered_media):
    source = rendered_media / "playback.mp4"
    item = add_item(batch=batch, name="a.mp4", size=source.stat().st_size)
    run_import(item_id=copy_file(item=item, source=source, queue=False).pk)
    assert Clip.objects.get().name == "a"


def test_what_an_import_converts_is_stored_and_said(project, upload, ada):
    project.min_frame_side = 64
    project.save()
    item = upload((CASES / "v01_phone_vfr.mp4").read_bytes())
    run_import(item_id=item.pk)
    clip = Clip.objects.get()
    [sentence] = clip.video.probe["conversions"].values()
    assert "8 of 90 source frames are not shown" in sentence
    assert not {"places", "moves"} & {*clip.video.probe}
    pages = (
        reverse("annotate:import_batch", args=[project.slug, item.batch_id]),
        reverse("annotate:clip", args=[project.slug, clip.pk]),
    )
    for page in pages:
        assert sentence in client_of(ada).get(page).text


def run_at_once(item_ids: list[int]) -> None:
    def work(item_id):
        try:
            run_import(item_id=item_id)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(item_id,)) for item_id in item_ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize(
    ("film", "code", "reason"),
    [
        ({"frames": 1}, "too_short", "0.04 s long; the project accepts videos of 0.5 s"),
        ({"size": (16, 16), "frames": 30}, "too_small", "16 x 16 pixels"),
        ({"size": (16, 16), "frames": 30, "codec": "mpeg4"}, "too_small", "16 x 16 pixels"),
    ],
)
def test_what_nobody_can_describe_is_refused(
    project, upload, stored_files, tmp_path, film, code, reason
):
    project.min_clip_seconds = 0.5
    project.save()
    item = upload(render(tmp_path / "a.mp4", **film).read_bytes())
    run_import(item_id=item.pk)
    item.refresh_from_db()
    assert (item.state, item.code) == ("failed", code)
    assert reason in item.reason
    assert (WorkItem.objects.count(), stored_files()) == (0, [])


def test_the_project_says_what_is_too_short_and_too_small(project, upload, tmp_path):
    project.min_clip_seconds, project.min_frame_side = 0, 16
    project.save()
    item = upload(render(tmp_path / "a.mp4", size=(16, 16), frames=1).read_bytes())
    run_import(item_id=item.pk)
    item.refresh_from_db()
    assert item.state == "done"
    assert WorkItem.objects.get().kind == "write"


def test_the_server_says_how_many_frames_are_too_many(settings, upload, real_bytes):
    settings.VERICAP_MAX_VIDEO_FRAMES = FRAMES - 1
    item = upload(real_bytes)
    run_import(item_id=item.pk)
    item.refresh_from_db()
    assert (item.state, item.code) == ("failed", "too_many_frames")
