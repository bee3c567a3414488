"""import_videos, run as from a shell."""

import shutil

import pytest
from django.core.management import CommandError, call_command

from annotate.models import Clip, ImportBatch, ImportItem, Video


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def folder(tmp_path, rendered_media):
    folder = tmp_path / "videos"
    (folder / "sub").mkdir(parents=True)
    shutil.copy(rendered_media / "playback.mp4", folder / "sub" / "dive.mp4")
    return folder


def run(*arguments) -> None:
    call_command("import_videos", *map(str, arguments))


def rows() -> list[tuple[str, str, str]]:
    return list(ImportItem.objects.order_by("position").values_list("name", "state", "code"))


def test_it_imports_a_folder_here_and_now(project, folder, capsys):
    run(project.slug, folder, "--wait")
    assert rows() == [("dive.mp4", "done", "")]
    assert Clip.objects.get().name == "dive"
    output = capsys.readouterr()
    assert "    1  dive.mp4  done" in output.out
    assert "dive.mp4: Reading 7 %" in output.err
    assert "dive.mp4: Storing 95 %" in output.err
    assert (folder / "sub" / "dive.mp4").exists()


def test_it_imports_one_file(project, folder):
    run(project.slug, folder / "sub" / "dive.mp4", "--wait")
    assert rows() == [("dive.mp4", "done", "")]


def test_without_wait_it_leaves_the_files_to_a_worker(
    project, folder, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks() as queued:
        run(project.slug, folder)
    assert rows() == [("dive.mp4", "waiting", "")]
    assert [callback.args[0].pk for callback in queued] == [ImportBatch.objects.get().pk]


def test_a_refused_file_is_listed_with_its_reason_and_fails_the_command(project, folder, capsys):
    (folder / "a.mp4").write_text("just words")
    (folder / "b.mp4").write_bytes(b"")
    (folder / "notes.txt").write_text("no video")
    with pytest.raises(CommandError, match=r"2 of 3 files were refused\.") as error:
        run(project.slug, folder, "--wait")
    assert error.value.returncode == 1
    assert rows() == [
        ("a.mp4", "failed", "not_a_video"),
        ("b.mp4", "failed", "empty"),
        ("dive.mp4", "done", ""),
    ]
    assert "This is not a video file, whatever its name says." in capsys.readouterr().out


def test_the_manifest_says_what_the_files_are(project, folder, ada):
    manifest = folder / "manifest.csv"
    manifest.write_text("file,category,license\nsub/dive.mp4,Gym,CC0\n")
    run(project.slug, folder, "--wait", "--manifest", manifest, "--admin", ada.email)
    video = Video.objects.get()
    assert (video.category, video.license, video.imported_by) == ("Gym", "CC0", ada)


def test_a_manifest_with_mistakes_imports_nothing(project, folder, capsys):
    manifest = folder / "manifest.csv"
    manifest.write_text("file\nsub/dive.mp4\n../../secret.mp4\n")
    with pytest.raises(CommandError, match="nothing was imported"):
        run(project.slug, folder, "--wait", "--manifest", manifest)
    assert "Row 3: '../../secret.mp4' is outside the folder" in capsys.readouterr().err
    assert ImportBatch.objects.count() == 0


def test_a_link_out_of_the_folder_is_no_file_of_it(project, folder, tmp_path, rendered_media):
    outside = tmp_path / "outside.mp4"
    shutil.copy(rendered_media / "playback.mp4", outside)
    (folder / "link.mp4").symlink_to(outside)
    manifest = folder / "manifest.csv"
    manifest.write_text("file\nsub/dive.mp4\nlink.mp4\n")
    with pytest.raises(CommandError):
        run(project.slug, folder, "--manifest", manifest)
    run(project.slug, folder)
    assert rows() == [("dive.mp4", "waiting", "")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "."), "There is no project 'nowhere'."),
        (("dives", "nowhere"), "There is no file or folder nowhere."),
        (("dives", "FOLDER", "--manifest", "nowhere.csv"), "nowhere.csv can't be read"),
        (("dives", "FOLDER", "--admin", "olaf@vericap.example"), "is not an admin of Dives."),
    ],
)
def test_a_wrong_argument_is_one_clear_sentence(project, folder, olaf, arguments, message):
    arguments = [folder if each == "FOLDER" else each for each in arguments]
    with pytest.raises(CommandError, match=message):
        run(*arguments)
    assert ImportBatch.objects.count() == 0


def test_a_folder_without_videos_is_reported(project, tmp_path):
    with pytest.raises(CommandError, match="has no video file"):
        run(project.slug, tmp_path)
