"""The page on which an admin makes the release that follows another, and its changes."""

import pytest
from django.urls import reverse

from annotate.jobs.services.working import work_on
from annotate.models import Caption
from annotate.models.jobs import Job
from annotate.split.services import send_back_split
from annotate.text.diff import DiffSpan
from review.frozen.models import Release
from review.releases.services import build_release
from review.studio.changes import Change, TextChange
from tests.cast import client_of, make_person, make_project
from tests.hand_work import machine_caption
from tests.inference.segmented import segment
from tests.review.cast import make_complete_world, split
from tests.review.releases.released_triplets import make_dives, make_set
from tests.review.studio.cast import checks_of, studio_of


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    world = make_complete_world(rendered_media, "dive")
    release = build_release(project=world["project"], version="0.1.0", admin=None, notes="First")
    return {**world, "release": release}


@pytest.fixture
def release(shared):
    return shared["release"]


def build_url(project):
    return reverse("review:build_release", args=[project.slug])


@pytest.fixture
def make_clip_again(project, anna, emil):
    """A function that has the split of a clip made again, with another spatial text."""

    def again(name, text):
        clip = project.clips.get(name=name)
        send_back_split(clip=clip, expert=emil, comment="Once more.")
        split(project, clip, anna, spatial=text)

    return again


def test_the_page_asks_for_the_checks_when_it_has_loaded(project, release, make_complete, ada):
    make_complete("ball")
    page = client_of(ada).get(studio_of(project))
    assert "following" not in page.context
    assert f'hx-get="{checks_of(project)}" hx-trigger="load"' in page.text
    assert f'<a href="{checks_of(project)}">' in page.text
    assert "The checks are still running." in page.text
    assert 'value="0.2.0"' in page.text
    swapped = client_of(ada).get(checks_of(project)).text
    for part in ("studio-ready", "studio-found", "studio-verdict", "studio-frozen"):
        assert page.text.count(f'id="{part}"') == swapped.count(f'id="{part}"') == 1
    assert 'hx-trigger="load"' not in swapped


def test_it_says_what_would_be_next(project, release, make_complete, ada, anna):
    make_complete("ball")
    page = client_of(ada).get(checks_of(project)).text
    assert '/releases/0.1.0/">0.1.0</a>' in page
    assert 'value="0.2.0"' in page
    assert "ball.mp4" in page
    assert "Build and freeze" in page
    assert "Open Settings" in page
    page = client_of(anna).get(checks_of(project)).text
    assert "ball.mp4" in page
    assert "Build and freeze" not in page
    assert "Change the checks" not in page
    assert "Open Settings" not in page


def test_it_refuses_and_keeps_what_was_typed(project, release, ada):
    for data, sentence in (
        ({"version": "0.2.0"}, "Tick this first"),
        ({"version": "next", "confirm": "on"}, "is not a version"),
        ({"version": "0.1.0", "confirm": "on"}, "Release 0.1.0 already exists"),
        ({"version": "0.0.9", "confirm": "on"}, "0.0.9 is not higher than 0.1.0"),
    ):
        response = client_of(ada).post(build_url(project), {"notes": "My notes", **data})
        assert response.status_code == 422
        assert sentence in response.text
        assert "My notes" in response.text
    assert Release.objects.count() == 1


def test_an_identical_release_is_refused_before_it_is_built(project, release, ada):
    page = client_of(ada).get(checks_of(project)).text
    assert "Nothing to build" in page
    assert "disabled>" in page
    client_of(ada).post(build_url(project), {"version": "0.2.0", "confirm": "on"})
    job = Job.objects.get(kind="release")
    work_on(job_id=job.pk)
    job.refresh_from_db()
    assert job.reason.startswith("Release 0.1.0 already has exactly this content.")
    assert Release.objects.count() == 1


def changes_of(person, project, **query):
    url = reverse("review:release_changes", args=[project.slug])
    return client_of(person).get(url, query)


def test_changes_are_filtered_and_have_word_diffs(
    project, release, make_complete, make_clip_again, anna
):
    make_complete("ball<")
    make_clip_again("dive", "The tower is red.")
    response = changes_of(anna, project)
    assert [(row.name, row.state) for row in response.context["changes"]] == [
        ("ball<.mp4", "added"),
        ("dive.mp4", "changed"),
    ]
    assert "ball&lt;.mp4" in response.text
    assert "<ins>" in response.text
    assert "The same text." in response.text
    only = changes_of(anna, project, change="changed", name="DIVE")
    assert [row.name for row in only.context["changes"]] == ["dive.mp4"]
    assert "No change fits the filter." in changes_of(anna, project, name="zebra").text


def test_a_withdrawn_clip_is_a_change(project, release, anna):
    project.clips.update(name="jump")
    states = {row.name: row.state for row in changes_of(anna, project).context["changes"]}
    assert states == {"jump.mp4": "added", "dive.mp4": "withdrawn"}


def test_changes_of_scenes_and_whole_videos_have_word_diffs(db, make_playable_clip):
    talks = make_project("Talks", protocol="lovr")
    video = make_playable_clip(talks, original_name="talk.mp4").video
    segment(video, [0, video.frames // 2], min_video_seconds=0, min_clips=1)
    whole = video.clips.get(start_frame=0, end_frame=video.frames)
    scenes = video.clips.exclude(pk=whole.pk).order_by("start_frame")
    for text in ("She sits.", "She stands."):
        for clip in scenes:
            machine_caption(clip, text)
        Caption.objects.create(
            project=talks, clip=whole, kind="full_video", source="machine", text=text, word_count=2
        )
        if not Release.objects.filter(project=talks).exists():
            build_release(project=talks, version="0.1.0", admin=None)
    page = changes_of(make_person("Ava", talks, "admin"), talks)
    words = [("equal", "She "), ("delete", "sits"), ("insert", "stands"), ("equal", ".")]
    spans = [DiffSpan(op, text) for op, text in words]
    assert list(page.context["changes"]) == [
        Change(name, "changed", [TextChange("Caption", spans)])
        for name in ("talk (whole video)", "talk-Scene-001", "talk-Scene-002")
    ]


def test_changes_of_triplets_lead_to_their_clips(db, make_playable_clip):
    dives = make_dives(make_playable_clip)
    make_set(dives)
    page = changes_of(make_person("Ava", dives, "admin"), dives)
    clips = {row.name: row.clip for row in page.context["changes"]}
    assert clips["clip-01, 107b to 109b"] == dives.clips.get(name="clip-01").pk
