"""A release in LoVR's form with the clips as files, and one without."""

import hashlib
import json

import av

from review.releases.choice import Choice
from review.releases.formats import export_release
from review.releases.services import build_release
from review.releases.writers.lovr import lovr_files
from review.studio.services import save_choice
from tests.cast import client_of, make_person
from tests.hand_work import machine_caption
from tests.inference.segmented import segment
from tests.review.studio.cast import checks_of


def test_a_release_can_have_the_clips_as_files(project, make_playable_clip, tmp_path):
    project.protocol = "lovr"
    project.save()
    video = make_playable_clip(project, original_name="talk.mp4").video
    third = video.frames // 3
    segment(video, [0, third, 2 * third], min_video_seconds=0, min_clips=1)
    clips = list(video.clips.exclude(end_frame=video.frames, start_frame=0).order_by("start_frame"))
    for number in (3, 1):
        machine_caption(clips[number - 1], "She stands.")
    without = build_release(project=project, version="0.1.0", admin=None)
    admin = client_of(make_person("Ada", project, "admin"))
    assert "would have the same content and hash" in admin.get(checks_of(project)).text
    save_choice(project=project, choice=Choice(clip_files=True), admin=None)
    page = admin.get(checks_of(project))
    assert "New: the clips as files." in page.text
    assert page.context["following"].can_build
    choice = Choice(clip_files=True)
    release = build_release(project=project, version="0.2.0", admin=None, choice=choice)
    export_release(release=release, format_name="lovr", target=tmp_path / "out")
    folder = tmp_path / "out" / "video_data" / "long_video_clip"
    listed = (tmp_path / "out" / "caption_data" / "all_clip.jsonl").read_text().splitlines()
    paths = {str(path.relative_to(folder)) for path in folder.rglob("*.mp4")}
    assert paths == {json.loads(line)["path"] for line in listed}
    for number in (1, 3):
        clip, path = clips[number - 1], folder / "talk" / f"talk-Scene-00{number}.mp4"
        with av.open(str(path)) as container:
            assert len(list(container.decode(video=0))) == clip.frames
    sums = (tmp_path / "out" / "SHA256SUMS").read_bytes()
    assert hashlib.sha256(sums).hexdigest() == release.content_hash
    assert sums.count(b"video_data/long_video_clip/") == 2
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    first = (folder / "talk" / "talk-Scene-001.mp4").read_bytes()
    assert manifest["videos"][0]["clips"][0] == {
        "scene": 1,
        "start_frame": 0,
        "end_frame": clips[0].end_frame,
        "path": "video_data/long_video_clip/talk/talk-Scene-001.mp4",
        "size": len(first),
        "sha256": hashlib.sha256(first).hexdigest(),
    }
    readme = (tmp_path / "out" / "README.md").read_text()
    assert "has the clips as files" in readme
    assert "not included" not in readme
    assert release.video_size > without.video_size
    assert release.content_hash != without.content_hash
    assert not [file for file in lovr_files(without, tmp_path) if "long_video_clip" in file.path]
