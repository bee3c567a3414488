import json
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from review.errors import ReviewError
from review.exchange import folder
from review.exchange.files import text_file
from review.exchange.folder import write_folder
from review.releases.formats import export_release
from review.releases.services import build_release
from review.releases.writers.carebench import carebench_files
from tests.review.cast import add_complete, make_complete_world


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    world = make_complete_world(rendered_media)
    add_complete(world, rendered_media, "ball", license="CC BY 4.0")
    add_complete(world, rendered_media, "äpfel", license="")
    release = build_release(
        project=world["project"], version="0.1.0", admin=None, notes="The first."
    )
    return {**world, "release": release}


@pytest.fixture
def release(shared):
    return shared["release"]


def export(release, target):
    export_release(release=release, format_name="carebench", target=target)


def everything_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_it_writes_carebenchs_files_and_ours_beside_them(release, tmp_path):
    export(release, tmp_path / "out")
    assert sorted(everything_in(tmp_path / "out")) == [
        "LICENSE.txt",
        "README.md",
        "SHA256SUMS",
        "json/metadata.json",
        "manifest.json",
        "reports/SHA256SUMS",
        "reports/index.json",
        "reports/names.jsonl",
        "reports/released.jsonl",
        "verify.pyz",
        "videos/ball.mp4",
        "videos/äpfel.mp4",
    ]


def test_the_metadata_has_exactly_carebenchs_fields_in_their_order(release, tmp_path):
    export(release, tmp_path / "out")
    text = (tmp_path / "out/json/metadata.json").read_text()
    records = json.loads(text)
    assert [list(record) for record in records] == [
        ["video", "caption", "spatial_caption", "temporal_caption", "category", "subcategory"]
    ] * 2
    assert [record["video"] for record in records] == ["ball.mp4", "äpfel.mp4"]
    assert all(isinstance(value, str) for record in records for value in record.values())
    assert records[0]["caption"] == (
        "A diver jumps from a tower. The tower is grey and the water is blue. "
        "She turns once and enters the water. The camera is still. The mood is calm."
    )
    assert text.endswith("]\n")
    assert "äpfel" in text, "UTF-8, not escapes"


def test_the_usual_tool_can_check_it(release, tmp_path):
    export(release, tmp_path / "out")
    check = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    subprocess.run(check, cwd=tmp_path / "out", check=True)
    hashed = subprocess.run(
        ["sha256sum", "SHA256SUMS"],
        cwd=tmp_path / "out",
        capture_output=True,
        text=True,
        check=True,
    )
    assert hashed.stdout.split()[0] == release.content_hash


def test_the_videos_are_the_playback_files(release, tmp_path):
    export(release, tmp_path / "out")
    clip = release.clips.select_related("clip__video").get(file_name="ball.mp4")
    stored = Path(settings.MEDIA_ROOT, clip.clip.video.playback_file)
    assert (tmp_path / "out/videos/ball.mp4").read_bytes() == stored.read_bytes()


def test_the_manifest_tells_where_each_clip_is_from_without_names(release, tmp_path, anna, emil):
    export(release, tmp_path / "out")
    text = (tmp_path / "out/manifest.json").read_text()
    manifest = json.loads(text)
    assert (manifest["version"], manifest["clip_count"], manifest["notes"]) == (
        "0.1.0",
        2,
        "The first.",
    )
    assert manifest["content_hash"] == release.content_hash
    [ball, _] = manifest["clips"]
    assert (ball["path"], ball["written_by"], ball["licence"]) == (
        "videos/ball.mp4",
        ["person-1", "person-2"],
        "CC BY 4.0",
    )
    assert not [name for name in ("Anna", "Ben", "Emil", anna.email) if name in text]


def test_the_license_file_says_whose_terms_apply_to_what(release, tmp_path):
    export(release, tmp_path / "out")
    text = (tmp_path / "out/LICENSE.txt").read_text()
    assert "Captions: CC BY 4.0" in text
    assert "not stated\n  äpfel.mp4" in text


def test_simulated_labels_are_named_in_every_text(release, project, tmp_path):
    project.is_simulated = True
    project.save()
    release.refresh_from_db()
    export(release, tmp_path / "out")
    files = everything_in(tmp_path / "out")
    assert b"SIMULATED: a program made up these labels" in files["README.md"]
    assert b"vericap|simulated|project:dives|" in files["README.md"]
    assert b'"signature": "vericap|simulated|project:dives|' in files["manifest.json"]


def test_exporting_twice_gives_the_same_bytes(release, tmp_path):
    export(release, tmp_path / "one")
    export(release, tmp_path / "two")
    assert everything_in(tmp_path / "one") == everything_in(tmp_path / "two")


def test_an_empty_folder_will_do_and_a_full_one_will_not(release, tmp_path):
    (tmp_path / "out").mkdir()
    export(release, tmp_path / "out")
    before = everything_in(tmp_path / "out")
    with pytest.raises(ReviewError, match="is not empty"):
        export(release, tmp_path / "out")
    assert everything_in(tmp_path / "out") == before


def test_a_file_or_a_link_is_no_folder(release, tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("file", "link"):
        with pytest.raises(ReviewError, match="is not a folder"):
            export(release, tmp_path / name)
    with pytest.raises(ReviewError, match="Can't write"):
        export(release, tmp_path / "file" / "out")


def test_a_damaged_video_stops_it_and_nothing_is_left(release, tmp_path):
    clip = release.clips.select_related("clip__video").get(file_name="ball.mp4")
    stored = Path(settings.MEDIA_ROOT, clip.clip.video.playback_file)
    content = stored.read_bytes()
    stored.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    try:
        with pytest.raises(ReviewError, match=r"videos/ball\.mp4 is not what was frozen"):
            export(release, tmp_path / "out")
    finally:
        stored.write_bytes(content)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_before_anything_is_written(release, tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "RESERVE", 10**18)
    with pytest.raises(ReviewError, match="Make room"):
        export(release, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_path_can_not_leave_the_folder(tmp_path):
    """File names are checked when a release is built; this is the second lock."""
    with pytest.raises(ReviewError, match="outside"):
        write_folder(lambda _: [text_file("../stray.txt", "x")], tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_it_and_says_so(release, tmp_path, capsys):
    call_command("export_release", "dives", "0.1.0", format="carebench", out=tmp_path / "out")
    assert "Wrote dives 0.1.0 to" in capsys.readouterr().out
    assert (tmp_path / "out/json/metadata.json").is_file()


@pytest.mark.parametrize(
    ("slug", "version", "format_name", "sentence"),
    [
        ("nothing", "0.1.0", "carebench", "There is no project 'nothing'. Choose one of: dives."),
        ("dives", "9.0.0", "carebench", r"Dives has no release 9\.0\.0\. It has: 0\.1\.0\."),
        ("dives", "latest", "carebench", "is not a version"),
        ("dives", "0.1.0", "csv", "The format 'csv' doesn't exist. Choose one of: carebench."),
    ],
)
def test_the_command_refuses_with_a_sentence(
    release, tmp_path, slug, version, format_name, sentence
):
    with pytest.raises(CommandError, match=sentence) as refusal:
        call_command("export_release", slug, version, format=format_name, out=tmp_path / "out")
    assert refusal.value.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_every_file_has_the_size_and_hash_it_announces(release):
    for file in carebench_files(release):
        assert len(b"".join(file.checked())) == file.size
