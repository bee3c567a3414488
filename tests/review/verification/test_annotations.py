"""export_annotations and import_annotations: files, and what they say."""

import pytest
from django.core.management import CommandError, call_command

from review.verification.models import Verification
from tests.cast import make_clip, make_project
from tests.review.verification.verifying import verified


@pytest.fixture
def out(tmp_path):
    return tmp_path / "table.csv"


def test_a_table_goes_out_in_and_out_again_unchanged(project, rita, out, tmp_path, capsys):
    verified(rita, make_clip(project, original_name="door.mp4"))
    make_clip(make_project("Elsewhere"), original_name="door.mp4")
    marks = ["--before=[", "--behind=]", "--missing=^"]
    call_command("export_annotations", project.slug, f"--out={out}", *marks)
    call_command("import_annotations", "elsewhere", str(out), *marks)
    again = tmp_path / "again.csv"
    call_command("export_annotations", "elsewhere", f"--out={again}", *marks)
    assert again.read_bytes() == out.read_bytes()
    assert b"^[He wears a red cap.]" in out.read_bytes()
    assert Verification.objects.count() == 2
    assert capsys.readouterr().out.splitlines() == [
        f"Wrote 3 rows to {out}",
        "Imported 1 verification.",
        f"Wrote 3 rows to {again}",
    ]


def test_without_a_verification_it_writes_nothing(project, out):
    with pytest.raises(CommandError, match="dives has no verification yet, so nothing was written"):
        call_command("export_annotations", project.slug, f"--out={out}")
    assert not out.exists()


def test_a_bad_file_is_named_with_its_mend(project, out):
    with pytest.raises(CommandError, match="can't be read: No such file or directory"):
        call_command("import_annotations", project.slug, str(out))
    out.write_bytes(b"Clip,\xff")
    with pytest.raises(CommandError, match="is not UTF-8; save it as CSV UTF-8"):
        call_command("import_annotations", project.slug, str(out))
    out.write_text("Clip")
    with pytest.raises(CommandError, match="Row 1: the column Annotator is missing"):
        call_command("import_annotations", project.slug, str(out))


def test_marks_that_are_alike_are_refused(project, out):
    with pytest.raises(CommandError, match="Choose three different marks"):
        call_command("export_annotations", project.slug, f"--out={out}", "--before=>>")
    assert not out.exists()


def test_a_file_that_can_not_be_written_is_named(project, rita, tmp_path):
    verified(rita, make_clip(project))
    with pytest.raises(CommandError, match="can't be written: Is a directory"):
        call_command("export_annotations", project.slug, f"--out={tmp_path}")
