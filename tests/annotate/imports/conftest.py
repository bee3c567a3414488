from __future__ import annotations

import pytest

from annotate.imports.services import add_item, append_chunk, open_batch
from annotate.models import ImportItem


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    """Every test has a storage of its own, so that it can count the files in it."""
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def batch(project, ada):
    return open_batch(project=project, admin=ada)


@pytest.fixture
def real_bytes(rendered_media):
    return (rendered_media / "playback.mp4").read_bytes()


@pytest.fixture
def upload(batch):
    """A function: a file of the batch whose bytes are all there."""

    def make(data: bytes, name: str = "dive.mp4", **facts) -> ImportItem:
        item = add_item(batch=batch, name=name, size=len(data), **facts)
        return append_chunk(item=item, offset=0, data=data)

    return make


@pytest.fixture
def stored_files(media_root):
    """A function: the files in the storage and on their way in."""

    def find() -> list[str]:
        return sorted(
            path.relative_to(media_root).as_posix()
            for path in media_root.rglob("*")
            if path.is_file()
        )

    return find
