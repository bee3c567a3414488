"""The data of the demo and of an embedded installation are closed to other users."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.private_folder import make_private

ROOT = Path(__file__).parent.parent
# What an installation writes: a row, a file, a mark in the cache, a message, a log of its own.
WRITE_EVERYTHING = """
import django
django.setup()
from django.conf import settings
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from config.celery import app
connection.cursor().execute("CREATE TABLE person (password text)")
default_storage.save("projects/1/source.mp4", ContentFile(b"film"))
cache.set("attempts", 1)
app.send_task("annotate.requeue_jobs", queue="media")
(settings.DATA_DIR / "log" / "web.log").write_text("a link to set a password")
"""


@pytest.fixture
def umask():
    """Restore this process's umask, which `make_private` changes."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    return sorted(
        str(path.relative_to(folder.parent))
        for path in (folder, *folder.rglob("*"))
        if stat.S_IMODE(path.lstat().st_mode) & 0o077
    )


def test_no_other_user_can_read_what_an_embedded_installation_writes(tmp_path, umask):
    data = tmp_path / "data"
    (data / "log").mkdir(parents=True)
    (data / "vericap.sqlite3").touch()  # of a version that let everybody read it
    assert open_to_others(data) == ["data", "data/log", "data/vericap.sqlite3"]

    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment |= {
        "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
        "VERICAP_DATA_DIR": str(data),
    }
    subprocess.run([sys.executable, "-c", WRITE_EVERYTHING], cwd=ROOT, env=environment, check=True)
    written = {path.name for path in data.rglob("*")}
    assert written >= {"secret_key", "vericap.sqlite3", "web.log", "source.mp4", "queue"}
    assert any(path.suffix == ".djcache" for path in data.rglob("*"))
    assert any(path.suffix == ".msg" for path in data.rglob("*"))
    assert open_to_others(data) == []


def test_a_folder_that_everybody_uses_is_refused_as_it_is(tmp_path, umask):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    with pytest.raises(ImproperlyConfigured) as refusal:
        make_private(shared)
    assert str(refusal.value) == (
        f"VERICAP_DATA_DIR is {shared}, which belongs to other people too. "
        "Set it to a folder of your own."
    )
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777


def test_a_link_in_the_folder_leaves_its_target_as_it_is(tmp_path, umask):
    videos = tmp_path / "videos"
    videos.mkdir(mode=0o755)
    data = tmp_path / "data"
    data.mkdir()
    (data / "media").symlink_to(videos)
    make_private(data)
    assert stat.S_IMODE(videos.stat().st_mode) == 0o755
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
