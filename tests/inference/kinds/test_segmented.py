"""A video whose segment run is done: its clips, and what further runs change."""

from __future__ import annotations

import numpy as np
import pytest
from django.core.files.storage import default_storage
from PIL import Image

from annotate.file_store import clip_poster_name
from annotate.models import Assignment, Clip, Video, WorkItem
from annotate.queue.services import claim_next
from inference.models import Segmentation
from inference.queries import clips_to_describe
from inference.segmentation import Curve
from tests.cast import make_person, make_project
from tests.inference.cast import make_model, start_run, states
from tests.inference.kinds.segment_runs import (
    CUTS,
    FOUR,
    FRAMES,
    LONGER,
    TWO,
    keep_walk,
    note,
    ranges,
    segmented,
)
from tests.inference.scenes import COLORS

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept):
    project = make_project(protocol="lovr")
    video = keep_walk(project)
    anna = make_person("Anna", project, "annotator")
    return {"project": project, "video": video, "anna": anna, "run": segmented(project)}


@pytest.fixture
def video(shared):
    return shared["video"]


@pytest.fixture
def run(shared):
    return shared["run"]


def test_a_video_becomes_clips_that_tile_it(video, run):
    assert (run.state, states(run), note(run)) == ("done", ["done"], "4 clips.")
    assert ranges(video) == FOUR
    segmentation = Segmentation.objects.get()
    assert (segmentation.video, segmentation.item) == (video, run.items.get())
    assert (segmentation.cuts, segmentation.threshold) == ([0, *CUTS], 34.0)
    assert (segmentation.is_kept, segmentation.excluded_because) == (True, "")
    video.refresh_from_db()
    assert video.excluded_because == ""


def test_the_clips_are_named_as_lovr_names_them(project, video):
    parts = video.clips.exclude(end_frame=FRAMES, start_frame=0).order_by("start_frame")
    base = video.clips.get(start_frame=0, end_frame=FRAMES).name
    assert [clip.name for clip in parts] == [f"{base}-Scene-00{n}" for n in (1, 2, 3, 4)]
    assert [clip.duration_ms for clip in parts] == [1200, 1200, 1600, 1200]


def test_the_curves_are_kept_with_their_peaks_at_the_cuts(project, video):
    segmentation = Segmentation.objects.get()
    for stored in (segmentation.curve, segmentation.absolute_curve, segmentation.means_curve):
        curve = Curve.from_bytes(bytes(stored), segmentation.step)
        assert (len(curve.values), curve.step, curve.values[0]) == (FRAMES, 1, 0)
        assert sorted(np.argsort(curve.values)[-len(CUTS) :].tolist()) == list(CUTS)
    values = Curve.from_bytes(bytes(segmentation.curve), segmentation.step).values
    assert [n for n, value in enumerate(values) if value >= segmentation.threshold] == list(CUTS)


def test_models_describe_the_parts_in_place_of_the_whole(project, video):
    described = clips_to_describe(project).order_by("start_frame")
    assert [(c.start_frame, c.end_frame) for c in described] == FOUR


def test_each_clip_has_a_frame_of_its_own_as_picture(project, video):
    for scene, (start, end) in enumerate(FOUR):
        with default_storage.open(clip_poster_name(video, start, end)) as file:
            picture = np.asarray(Image.open(file))
        assert np.abs(picture[0, 0].astype(int) - COLORS[scene]).max() < 12


def test_the_very_same_run_again_repeats_nothing(project, video):
    before = list(Clip.objects.order_by("pk").values())
    again = segmented(project)
    assert (states(again), Segmentation.objects.count()) == (["skipped"], 1)
    assert list(Clip.objects.order_by("pk").values()) == before


def test_other_settings_take_away_what_nobody_has_worked_on(project, video):
    same = video.clips.get(start_frame=100)
    run = segmented(project, **LONGER)
    assert (note(run), ranges(video)) == ("2 clips.", TWO)
    assert video.clips.get(start_frame=100) == same
    assert video.clips.filter(start_frame=0, end_frame=FRAMES).exists()


def test_the_first_settings_again_bring_their_clips_back(project, video):
    segmented(project, **LONGER)
    again = segmented(project)
    assert (states(again), ranges(video)) == (["done"], FOUR)
    assert states(segmented(project)) == ["skipped"]


def test_a_clip_of_the_same_frames_stays_as_it_is(project, video):
    before = list(video.clips.order_by("pk").values())
    segmented(project, threshold=30)
    assert list(video.clips.order_by("pk").values()) == before
    assert Segmentation.objects.count() == 2


def test_a_run_over_clips_that_go_has_fewer_items(project, video):
    embed = start_run(
        project=project, kind="embed", model=make_model(project, "lexical"), options={"of": "clips"}
    )
    assert (embed.total, embed.items.count()) == (4, 4)
    segmented(project, **LONGER)
    embed.refresh_from_db()
    assert (embed.total, embed.items.count()) == (1, 1)


def test_a_captioned_clip_stays_and_the_note_says_so(project, video):
    captioned = video.clips.get(start_frame=30)
    captioned.captions.create(
        project=project, kind="general", source="machine", text="A street.", word_count=2
    )
    run = segmented(project, **LONGER)
    assert ranges(video) == [TWO[0], (30, 60), TWO[1]]
    assert note(run) == (
        "2 clips. Kept for their work or captions: 1 clip of before, overlapping these."
    )


def test_a_clip_in_somebodys_hand_stays(project, video, anna):
    held = video.clips.get(start_frame=60, end_frame=100)
    WorkItem.objects.create(project=project, clip=held, kind="write")
    assignment = claim_next(membership=anna.memberships.get(), kind="write")
    assert assignment.item.clip == held
    run = segmented(project, min_clips=50)
    assert ranges(video) == [(60, 100)]
    assert note(run) == (
        "Left out: 4 clips; at least 50 are asked for. "
        "Kept for their work or captions: 1 clip of before."
    )
    assert Assignment.objects.get().item.clip == held


def test_what_people_excluded_stays_excluded(project, video):
    Video.objects.filter(pk=video.pk).update(excluded_because="Two people found it too still")
    run = segmented(project, threshold=30)
    video.refresh_from_db()
    assert video.excluded_because == "Two people found it too still"
    assert note(run) == "4 clips. People left the video out, so it stays left out."


def test_two_people_are_asked_whether_it_is_dynamic(project, video):
    item = WorkItem.objects.get()
    assert (item.kind, item.needed, item.open_slots, item.state) == ("dynamics", 2, 2, "open")
    assert item.clip == video.clips.get(start_frame=0, end_frame=FRAMES)
    segmented(project, threshold=30)
    assert WorkItem.objects.get() == item


def test_nobody_is_asked_about_a_video_that_is_left_out_later(project, video):
    segmented(project, min_clips=50)
    assert WorkItem.objects.count() == 0


def test_a_check_that_somebody_has_begun_stays(project, video, anna):
    Assignment.objects.create(
        item=WorkItem.objects.get(), annotator=anna, lease_expires_at="2026-01-01T00:00Z"
    )
    segmented(project, min_clips=50)
    assert WorkItem.objects.get().kind == "dynamics"
