"""Takedowns in CaReBench's form: files, archives, hashes, new releases, undo."""

import hashlib
import json
import zipfile

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction

from annotate.jobs.services.working import work_on
from annotate.models import AuditEvent, Caption
from annotate.models.jobs import Job
from review.errors import ReviewError
from review.frozen.takedowns import Reinstatement, Takedown
from review.proof.verifying.main import verify
from review.releases import jobs
from review.releases.archives import pack_release, ready_archive, start_archive
from review.releases.formats import export_release
from review.releases.models import ReleaseArchive
from review.releases.queries import latest_release, next_release
from review.releases.services import build_release
from review.studio.comparing import check, comparison_of
from review.takedowns.services import take_down, undo_takedown
from tests.review.cast import make_complete_world
from tests.review.takedowns.releases import (
    fresh,
    in_every_format,
    json_lines,
    take,
    tombstones,
    written,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    """A release of three clips."""
    world = make_complete_world(rendered_media, "dive", "swim", "run")
    release = build_release(project=world["project"], version="0.1.0", admin=None)
    return {**world, "release": release}


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def release(shared):
    return shared["release"]


def archive_of(release):
    """The ZIP in the release's own format, written by a worker."""
    job = start_archive(release=release, format_name="carebench", user=None)
    if job:
        work_on(job_id=job.pk)
    return ReleaseArchive.objects.get(release=release)


def names_in(archive):
    with default_storage.open(archive.file) as file:
        return {name.partition("/")[2] for name in zipfile.ZipFile(file).namelist()}


def test_no_format_offers_a_clip_that_is_taken_down(project, clips, release):
    before = in_every_format(release)
    takedown = take(clips["swim"], "clip")
    for name, files in in_every_format(release).items():
        assert [path for path in files if "swim" in path] == [], name
        [item] = tombstones(files)["items"]
        assert item == {
            "id": takedown.pk,
            "what": "clip",
            "items": ["swim.mp4"],
            "withdrawn_at": takedown.created_at.isoformat(timespec="seconds"),
            "reason": "consent",
        }
        manifest = json.loads(files["manifest.json"])
        assert (manifest["clip_count"], manifest["content_hash"]) == (2, release.content_hash)
        stones = hashlib.sha256(files["TOMBSTONES"]).hexdigest()
        if "tombstones" in manifest:
            assert manifest["tombstones"]["sha256"] == stones
        else:
            assert {"path": "TOMBSTONES", "size": len(files["TOMBSTONES"]), "sha256": stones} in (
                manifest["files"]
            )
        assert "**Withdrawn.** 1 takedown " in files["README.md"].decode()
        assert b"swim" not in files["README.md"] + files["LICENSE.txt"]
        assert before[name].keys() - files.keys() <= {"videos/swim.mp4"}
    own, native = written(release, "carebench"), written(release, "native")
    assert own["SHA256SUMS"] == before["carebench"]["SHA256SUMS"]
    assert hashlib.sha256(own["SHA256SUMS"]).hexdigest() == release.content_hash
    assert tombstones(own)["withdrawn"] == ["videos/swim.mp4"]
    assert [entry["path"] for entry in tombstones(own)["changed"]] == ["json/metadata.json"]
    metadata = json.loads(own["json/metadata.json"])
    assert [entry["video"] for entry in metadata] == ["dive.mp4", "run.mp4"]
    old, new = (json_lines(files["captions.jsonl"]) for files in (before["native"], native))
    assert len(old) - len(new) == Caption.objects.filter(clip=clips["swim"]).count()
    assert [record for record in new if record not in old] == []


def test_a_video_takes_all_its_clips(project, clips, release):
    take(clips["run"].video, "video", "license")
    own = written(release, "carebench")
    assert tombstones(own)["items"][0]["items"] == ["run.mp4"]
    assert "videos/run.mp4" not in own


def test_one_caption_is_empty_and_the_rest_of_the_clip_stays(project, clips, release):
    row = release.clips.get(file_name="dive.mp4")
    before = json_lines(written(release, "native")["captions.jsonl"])
    take(row.spatial_caption, "caption", "request")
    own = written(release, "carebench")
    [item] = tombstones(own)["items"]
    assert (item["what"], item["items"]) == ("caption", ["dive.mp4#spatial_caption"])
    dive = json.loads(own["json/metadata.json"])[0]
    assert (dive["video"], dive["spatial_caption"]) == ("dive.mp4", "")
    assert dive["caption"] == row.caption.text
    assert tombstones(own)["withdrawn"] == []
    records = json_lines(written(release, "native")["captions.jsonl"])
    [gone] = [record for record in before if record not in records]
    assert (gone["kind"], gone["is_released"]) == ("spatial", True)
    assert len(records) == len(before) - 1


def test_the_program_says_withdrawn_and_still_finds_other_changes(release, clips, tmp_path):
    take(clips["swim"], "clip")
    folder = tmp_path / "out"
    export_release(release=fresh(release), format_name="carebench", target=folder)
    lines = []
    assert verify(folder, lines.append) == []
    assert [line for line in lines if line.startswith("withdrawn on ")] == [
        f"withdrawn on {Takedown.objects.get().created_at:%Y-%m-%d} (consent): swim.mp4."
    ]
    (folder / "videos/swim.mp4").write_bytes(b"an old copy")
    assert [str(problem) for problem in verify(folder, lines.append)] == [
        "videos/swim.mp4: This was withdrawn. Delete your copy."
    ]
    (folder / "videos/swim.mp4").unlink()
    for path in ("videos/run.mp4", "json/metadata.json", "TOMBSTONES"):
        content = (folder / path).read_bytes()
        (folder / path).write_bytes(content[:-2] + b"\n" + content[-1:])
        assert path in {problem.where.partition("#")[0] for problem in verify(folder, lines.append)}
        (folder / path).write_bytes(content)
    stones = json.loads((folder / "TOMBSTONES").read_text())
    changed = {"path": "videos/run.mp4", "size": 1, "sha256": "0" * 64}
    (folder / "TOMBSTONES").write_text(json.dumps(stones | {"changed": [changed]}))
    problems = [str(problem) for problem in verify(folder, lines.append)]
    assert any("can't lack an item" in problem for problem in problems)


def test_a_built_zip_is_gone_at_once_and_built_again(
    release, clips, django_capture_on_commit_callbacks
):
    first = archive_of(release)
    with django_capture_on_commit_callbacks(execute=True):
        take(clips["swim"], "clip")
    assert not default_storage.exists(first.file)
    assert ready_archive(fresh(release), "carebench") is None
    work_on(job_id=Job.objects.filter(kind="release_archive").latest("pk").pk)
    again = ReleaseArchive.objects.get(release=release)
    assert "videos/swim.mp4" not in names_in(again)
    assert {"videos/run.mp4", "TOMBSTONES"} <= names_in(again)


def test_a_zip_that_was_being_packed_meanwhile_is_packed_again(release, clips, monkeypatch):
    packed = []

    def pack(*arguments):
        packed.append(pack_release(*arguments))
        if len(packed) == 1:
            take(clips["swim"], "clip")
        return packed[-1]

    monkeypatch.setattr(jobs, "pack_release", pack)
    assert "videos/swim.mp4" not in names_in(archive_of(release))
    assert len(packed) == 2


def test_an_outdated_zip_is_offered_to_nobody(release, clips):
    archive = archive_of(release)
    Takedown.objects.create(
        project=release.project, what="clip", clip=clips["swim"], reason="consent"
    )
    assert archive.withdrawn == ""
    assert ready_archive(fresh(release), "carebench") is None


def test_the_next_release_leaves_it_out(project, clips, release):
    take(clips["swim"], "clip")
    take(release.clips.get(file_name="run.mp4").temporal_caption, "caption")
    following = next_release(project, latest_release(project))
    assert [row.file_name for row in following.rows] == ["dive.mp4"]
    assert following.difference.removed == ["run.mp4", "swim.mp4"]
    checked = check(comparison_of(project))
    assert (checked.taken_down, checked.progress.complete, checked.progress.waiting) == (2, 3, [])
    second = build_release(project=project, version="0.2.0", admin=None)
    assert second.clip_count == 1
    assert not fresh(second).withdrawn


def test_undone_the_release_has_the_same_bytes_as_before(release, clips, ada):
    before = in_every_format(release)
    takedown = take(clips["swim"], "clip")
    undo_takedown(takedown=takedown, admin=ada)
    assert in_every_format(release) == before
    assert list(AuditEvent.objects.order_by("pk").values_list("verb", flat=True))[-2:] == [
        "take down", "undo takedown"
    ]  # fmt: skip
    with pytest.raises(ReviewError, match="undone already"):
        undo_takedown(takedown=takedown, admin=ada)
    take(clips["swim"], "clip")
    assert Takedown.objects.count() == 2


def test_nobody_changes_what_was_done(release, clips):
    takedown = take(clips["swim"], "clip")
    undo_takedown(takedown=takedown, admin=None)
    for rows in (Takedown.objects.all(), Reinstatement.objects.all()):
        with pytest.raises(DatabaseError), transaction.atomic():
            rows.update(created_by=None)


def test_it_refuses_what_is_down_already_or_not_of_the_project(project, release, clips):
    take(clips["swim"], "clip")
    with pytest.raises(ReviewError, match=r"swim is taken down already\. Nothing was changed"):
        take(clips["swim"], "clip")
    with pytest.raises(ReviewError, match="This project has no clip 9999"):
        take_down(project=project, what="clip", key=9999, reason="consent", admin=None)
    with pytest.raises(ReviewError, match="one of: license, consent, request"):
        take_down(project=project, what="clip", key=clips["run"].pk, reason="mood", admin=None)
    assert Takedown.objects.count() == 1


def test_the_command_previews_takes_down_and_undoes(project, release, clips, capsys):
    call_command("take_down", project.slug, "--clip", "swim", "--dry-run")
    assert capsys.readouterr().out == (
        "Clip: swim (1 clip)\n  0.1.0: swim.mp4\nNothing was changed.\n"
    )
    with pytest.raises(CommandError, match="Say why with --reason"):
        call_command("take_down", project.slug, "--clip", "swim")
    call_command("take_down", project.slug, "--video", "swim.mp4", "--reason", "license")
    takedown = Takedown.objects.get()
    assert fresh(release).withdrawn.clip_count == 1
    call_command("take_down", project.slug, "--undo", str(takedown.pk))
    assert not fresh(release).withdrawn
    with pytest.raises(CommandError, match="no clip called 'sink'"):
        call_command("take_down", project.slug, "--clip", "sink", "--reason", "license")
