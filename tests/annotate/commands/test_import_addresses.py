"""import_addresses, run as from a shell."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from annotate.models import ImportItem
from tests.site import LOOPBACK, sends, serving

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(settings, tmp_path, rendered_media):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.VERICAP_OUTGOING_ALLOWED = LOOPBACK
    with serving() as site:
        site.answers["/dive.mp4"] = sends((rendered_media / "playback.mp4").read_bytes())
        yield site


def rows() -> list[tuple[str, str, str]]:
    return list(ImportItem.objects.order_by("position").values_list("name", "state", "category"))


def test_it_downloads_and_imports_here_and_now(project, site, tmp_path, capsys):
    table = tmp_path / "videos.csv"
    table.write_text(f"url,category\n{site.url}/dive.mp4,Sports\n{site.url}/gone.mp4,\n")
    with pytest.raises(CommandError, match=r"1 of 2 files were refused\."):
        call_command("import_addresses", project.slug, str(table), "--wait")
    assert rows() == [("dive.mp4", "done", "Sports"), ("gone.mp4", "failed", "")]
    output = capsys.readouterr()
    assert "Nothing is there (404)." in output.out
    assert "Downloading " in output.err


def test_without_wait_it_leaves_them_to_a_worker(project, ada, site, tmp_path):
    lines = tmp_path / "videos.txt"
    lines.write_text(f"\ufeff{site.url}/dive.mp4\n")
    call_command("import_addresses", project.slug, str(lines), "--admin", ada.email)
    assert rows() == [("dive.mp4", "waiting", "")]
    assert ImportItem.objects.get().batch.created_by == ada


def test_a_wrong_list_imports_nothing(project, ada, tmp_path, capsys):
    lines = tmp_path / "videos.txt"
    lines.write_text("ftp://a.example/b.mp4\n")
    for arguments in ([str(lines)], [str(tmp_path / "none.txt")]):
        with pytest.raises(CommandError):
            call_command("import_addresses", project.slug, *arguments)
    assert "Line 1: Write the whole address" in capsys.readouterr().err
    lines.write_bytes(b"\xff\xfe")
    with pytest.raises(CommandError, match="UTF-8"):
        call_command("import_addresses", project.slug, str(lines))
    assert rows() == []
