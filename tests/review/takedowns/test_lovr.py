"""Takedowns in LoVR's form: clips of whole videos, and captions of clips and whole videos."""

import json

import pytest

from annotate.models import Caption
from review.proof.verifying.main import verify
from review.releases.choice import Choice
from review.releases.formats import export_release
from review.releases.queries import latest_release, next_release
from review.releases.services import build_release
from tests.cast import client_of, make_project
from tests.hand_work import machine_caption
from tests.inference.segmented import segment
from tests.media import make_playable
from tests.review.takedowns.releases import fresh, json_lines, take, tombstones, written

pytestmark = pytest.mark.django_db

CLIPS, VIDEOS = "caption_data/all_clip.jsonl", "caption_data/all_video.jsonl"
RECORDS = "caption_data/records.jsonl"


def make_talks(project, rendered_media):
    """Two segmented videos of two captioned clips each, with a caption of the whole video."""
    talks = {}
    for name in ("talk", "walk"):
        video = make_playable(rendered_media, project, original_name=f"{name}.mp4").video
        half = video.frames // 2
        segment(video, [0, half], min_video_seconds=0, min_clips=1)
        whole = video.clips.get(start_frame=0, end_frame=video.frames)
        clips = list(video.clips.exclude(pk=whole.pk).order_by("start_frame"))
        parts = [machine_caption(clip, f"A {name} {place}.") for place, clip in enumerate(clips)]
        full = Caption.objects.create(
            project=project, clip=whole, kind="full_video", source="machine", word_count=3,
            text=f"All of {name}.",
        )  # fmt: skip
        full.parents.set(parts)
        talks[name] = (video, clips, parts, full)
    return talks


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    project = make_project(protocol="lovr")
    talks = make_talks(project, rendered_media)
    choice = Choice(clip_files=True)
    release = build_release(project=project, version="0.1.0", admin=None, choice=choice)
    return {"project": project, "talks": talks, "release": release}


@pytest.fixture
def talks(shared):
    return shared["talks"]


@pytest.fixture
def release(shared):
    return shared["release"]


def is_right(release, tmp_path) -> bool:
    folder = tmp_path / "out"
    export_release(release=fresh(release), format_name="lovr", target=folder)
    return verify(folder, lambda text: None) == []


def test_a_video_is_gone_with_its_clips_and_captions(project, talks, release, tmp_path):
    take(talks["walk"][0], "video")
    files = written(release, "lovr")
    assert [path for path in files if "walk" in path] == []
    assert tombstones(files)["items"][0]["items"] == ["walk", "walk-Scene-001", "walk-Scene-002"]
    assert set(tombstones(files)["withdrawn"]) == {
        "video_data/long_video/walk.mp4",
        "video_data/long_video_clip/walk/walk-Scene-001.mp4",
        "video_data/long_video_clip/walk/walk-Scene-002.mp4",
    }
    assert b"walk" not in files[CLIPS] + files[VIDEOS] + files[RECORDS] + files["LICENSE.txt"]
    manifest = json.loads(files["manifest.json"])
    assert (manifest["clip_count"], manifest["video_count"]) == (2, 1)
    for name in ("huggingface", "native", "webdataset"):
        offered = written(release, name)
        assert [path for path in offered if "walk" in path] == [], name
        texts = b"".join(offered[path] for path in offered if path.endswith((".jsonl", ".md")))
        assert b"walk" not in texts, name
    assert is_right(release, tmp_path)
    following = next_release(project, latest_release(project))
    assert {row.clip_id for row in following.rows} == {clip.pk for clip in talks["talk"][1]}


def test_a_clip_keeps_the_numbers_of_the_others(talks, release, tmp_path):
    take(talks["talk"][1][0], "clip")
    files = written(release, "lovr")
    assert [line["path"] for line in json_lines(files[CLIPS])] == [
        "talk/talk-Scene-002.mp4", "walk/walk-Scene-001.mp4", "walk/walk-Scene-002.mp4"
    ]  # fmt: skip
    assert "video_data/long_video/talk.mp4" in files
    scenes = json.loads(files["manifest.json"])["videos"][0]["clips"]
    assert [scene["scene"] for scene in scenes] == [2]
    records = json_lines(written(release, "native")["captions.jsonl"])
    texts = {record["text"] for record in records}
    assert texts == {"A talk 1.", "A walk 0.", "A walk 1.", "All of talk.", "All of walk."}
    assert is_right(release, tmp_path)


def test_a_caption_takes_its_line_and_leaves_the_video(talks, release, tmp_path):
    take(talks["talk"][2][1], "caption")
    take(talks["walk"][3], "caption")
    files = written(release, "lovr")
    assert [item["items"] for item in tombstones(files)["items"]] == [
        ["talk-Scene-002#cap"], ["walk#cap"]
    ]  # fmt: skip
    assert tombstones(files)["withdrawn"] == []
    assert len(json_lines(files[CLIPS])) == 3
    assert [line["vid"] for line in json_lines(files[VIDEOS])] == ["talk"]
    by_video = {line["video_id"]: line["video_caption"] for line in json_lines(files[RECORDS])}
    assert by_video == {"talk": "All of talk.", "walk": None}
    assert json.loads(files["manifest.json"])["clip_count"] == 3
    assert is_right(release, tmp_path)


def test_the_preview_warns_that_the_whole_video_still_shows_the_clip(project, talks, release, ada):
    clip = talks["talk"][1][0]
    page = client_of(ada).get(f"/p/{project.slug}/releases/takedowns/clips/{clip.pk}/")
    assert page.context["preview"].shown_in == "talk.mp4"
    assert "talk.mp4 still shows this clip" in page.text
