import hashlib
import json
from pathlib import Path

import av
import pytest
from django.conf import settings

from annotate.models import AuditEvent, Caption, Clip, ClipFile, WebhookDelivery
from annotate.split.services import reopen_merge, send_back_split
from annotate.webhooks.services.endpoints import add_webhook
from review.errors import ReviewError
from review.frozen.models import Release, ReleasedClip
from review.releases.services import build_release
from review.releases.writers.carebench import carebench_files
from tests.cast import make_clip, make_person, make_project
from tests.review.cast import make_complete_world, merge, open_clip, split, write


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    """A complete clip."""
    return make_complete_world(rendered_media, "dive")


@pytest.fixture
def dive(shared):
    return shared["clips"]["dive"]


def build(project, version="0.1.0", **fields):
    return build_release(project=project, version=version, admin=None, **fields)


def content(release, path="json/metadata.json"):
    [file] = [file for file in carebench_files(release) if file.path == path]
    return b"".join(file.checked())


def test_it_freezes_the_captions_of_a_complete_clip(project, dive, ada):
    release = build_release(project=project, version="v0.1.0", admin=ada, notes=" First. ")
    merged = Caption.objects.get(clip=dive, source=Caption.Source.MERGED)
    assert (release.version, release.notes, release.clip_count) == ("0.1.0", "First.", 1)
    [frozen] = release.clips.all()
    assert (frozen.file_name, frozen.caption) == ("dive.mp4", merged)
    assert json.loads(content(release)) == [
        {
            "video": "dive.mp4",
            "caption": merged.text,
            "spatial_caption": frozen.spatial_caption.text,
            "temporal_caption": frozen.temporal_caption.text,
            "category": "Sports",
            "subcategory": "Diving",
        }
    ]
    event = AuditEvent.objects.get(verb="build release")
    assert (event.actor, event.object_id, event.after["clips"]) == (ada, release.pk, 1)


def test_webhooks_are_told_its_version_and_where_it_is(project, ada):
    add_webhook(
        project=project,
        admin=ada,
        address="https://hooks.example.org/",
        events=["release.built"],
        site="https://vericap.example",
    )
    release = build(project)
    [delivery] = WebhookDelivery.objects.filter(event="release.built")
    assert json.loads(delivery.body)["data"] == {
        "project": "dives",
        "release": release.pk,
        "version": "0.1.0",
        "page": "https://vericap.example/p/dives/releases/0.1.0/",
        "resource": "https://vericap.example/api/v1/projects/dives/releases/0.1.0/",
    }


def test_the_same_content_gives_the_same_bytes_and_the_same_hash(project, make_complete):
    make_complete("a")
    first, second = build(project, "0.1.0"), build(project, "0.2.0")
    assert first.content_hash == second.content_hash
    assert content(first) == content(second)
    assert content(first, "SHA256SUMS") == content(second, "SHA256SUMS")
    assert hashlib.sha256(content(first, "SHA256SUMS")).hexdigest() == first.content_hash


def test_the_hash_covers_the_captions_and_the_videos(project, dive, anna, emil):
    first = build(project, "0.1.0")
    send_back_split(clip=dive, expert=emil, comment="Say more.")
    split(project, dive, anna)
    assert build(project, "0.1.1").content_hash == first.content_hash, "the same words again"
    dive.video.category = "Water sports"
    dive.video.save()
    second = build(project, "0.2.0")
    assert second.content_hash != first.content_hash
    dive.video.playback_sha256 = "0" * 64
    dive.video.save()
    assert build(project, "0.3.0").content_hash != second.content_hash


def test_each_video_is_hashed_once_and_its_hash_is_that_of_the_file(project, dive):
    [frozen] = build(project).clips.all()
    file = Path(settings.MEDIA_ROOT, dive.video.playback_file).read_bytes()
    assert (frozen.video_sha256, frozen.video_size) == (
        hashlib.sha256(file).hexdigest(),
        len(file),
    )
    dive.video.refresh_from_db()
    assert dive.video.playback_sha256 == frozen.video_sha256


def test_only_complete_clips_are_in_it(project, anna, ben, emil):
    write(project, open_clip(project, "half"), anna)
    written = open_clip(project, "written")
    write(project, written, anna, ben)
    merged = open_clip(project, "merged")
    write(project, merged, anna, ben)
    merge(project, merged, emil)
    assert [clip.file_name for clip in build(project).clips.all()] == ["dive.mp4"]


def test_a_split_of_an_older_merged_text_is_not_complete(project, dive, emil, anna):
    reopen_merge(clip=dive, expert=emil, comment="Wrong colour.")
    merge(project, dive, emil)
    with pytest.raises(ReviewError, match="No clip is complete"):
        build(project)
    split(project, dive, anna)
    [frozen] = build(project).clips.all()
    latest = Caption.objects.filter(clip=dive, source=Caption.Source.MERGED).latest("id")
    assert frozen.caption == latest
    assert list(frozen.spatial_caption.parents.all()) == [latest]


def test_it_refuses_when_nothing_of_the_project_is_complete(dive):
    other = make_project("Other")
    make_clip(other)
    with pytest.raises(ReviewError, match="No clip is complete yet"):
        build(other)
    assert Release.objects.count() == 0


def test_it_refuses_a_clip_without_a_category_and_names_it(project, make_complete):
    make_complete("ball", category=" ")
    with pytest.raises(ReviewError, match=r"Without a category.*: ball\."):
        build(project)
    assert Release.objects.count() == 0


def test_it_refuses_names_that_no_file_or_only_one_can_have(project, dive, make_complete):
    for name in ("../dive", "a\\b", "a\nb", ".hidden", "a:b"):
        Clip.objects.filter(pk=dive.pk).update(name=name)
        with pytest.raises(ReviewError, match="a file name can't have"):
            build(project)
    other = make_complete("ball")
    for names in (("Dive", "dive"), ("cafe\u0301", "caf\u00e9")):
        for clip, name in zip((dive, other), names, strict=True):
            Clip.objects.filter(pk=clip.pk).update(name=name)
        with pytest.raises(ReviewError, match="the same file name"):
            build(project)


def test_a_clip_that_is_a_part_of_its_video_is_released_as_a_file_of_its_own(
    project, dive, make_complete, tmp_path
):
    Clip.objects.filter(pk=dive.pk).update(start_frame=7, end_frame=19)
    make_complete("whole")
    release = build(project)
    part, whole = release.clips.select_related("clip__video")
    assert part.clip.file.name.endswith("-7-19.mp4")
    assert (part.video_sha256, part.video_size) == (part.clip.file.sha256, part.clip.file.size)
    assert whole.video_sha256 == whole.clip.video.playback_sha256
    assert release.video_size == part.video_size + whole.video_size
    path = tmp_path / "dive.mp4"
    path.write_bytes(content(release, "videos/dive.mp4"))
    with av.open(str(path)) as container:
        assert len(list(container.decode(video=0))) == 12
    assert {
        name: part.provenance[name]
        for name in ("frames", "source_name", "source_start_frame", "source_end_frame")
    } == {
        "frames": 12,
        "source_name": part.clip.video.original_name,
        "source_start_frame": 7,
        "source_end_frame": 19,
    }
    assert "source_start_frame" not in whole.provenance


def test_a_part_is_cut_once_for_all_releases(project, dive):
    Clip.objects.filter(pk=dive.pk).update(start_frame=7, end_frame=19)
    first = build(project, "0.1.0")
    made = ClipFile.objects.get(clip=dive)
    second = build(project, "0.2.0")
    assert ClipFile.objects.get(clip=dive).created_at == made.created_at
    assert first.content_hash == second.content_hash


def test_it_refuses_a_version_that_is_not_later(project, dive):
    build(project, "0.2.0")
    for version, sentence in (
        ("0.2.0", r"Release 0\.2\.0 already exists"),
        ("v0.2.0", r"Release 0\.2\.0 already exists"),
        ("0.1.9", r"0\.1\.9 is not higher than 0\.2\.0.*such as 0\.3\.0"),
        ("0.2.0-rc.1", "is not higher than"),
        ("two", "is not a version"),
    ):
        with pytest.raises(ReviewError, match=sentence):
            build(project, version)
    assert Release.objects.count() == 1


def test_it_says_which_file_is_missing(project, make_complete):
    clip = make_complete("gone")
    Path(settings.MEDIA_ROOT, clip.video.playback_file).unlink()
    with pytest.raises(ReviewError, match=rf"{clip.video.playback_file} is missing"):
        build(project)


def test_what_is_frozen_stays_when_the_rows_around_it_change(project, dive, emil):
    release = build(project)
    before = {file.path: b"".join(file.checked()) for file in carebench_files(release)}
    dive.video.category, dive.video.license = "Other", "Other"
    dive.video.save()
    project.name = project.license = "Other"
    project.save()
    Clip.objects.update(name="other")
    emil.name = "Other"
    emil.save()
    reopen_merge(clip=dive, expert=emil, comment="Again.")
    release = Release.objects.get()
    assert before == {f.path: b"".join(f.checked()) for f in carebench_files(release)}


def test_people_are_numbers_that_stay_theirs(project, dive, anna, ben, emil):
    [first] = build(project, "0.1.0").clips.all()
    assert {key: first.provenance[key] for key in ("written_by", "merged_by", "split_by")} == {
        "written_by": ["person-1", "person-2"],
        "merged_by": "person-3",
        "split_by": "person-1",
    }
    cleo = make_person("Cleo", project, "annotator")
    clip = open_clip(project, "ball", category="")
    write(project, clip, cleo, ben)
    assert build(project, "0.2.0").clips.get(file_name="dive.mp4").provenance == first.provenance


def test_deleting_a_released_clip_is_refused(project, dive):
    build(project)
    with pytest.raises(Exception, match="protected"):
        dive.delete()
    assert ReleasedClip.objects.count() == 1
