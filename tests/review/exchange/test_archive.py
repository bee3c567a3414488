import hashlib
import io
import tracemalloc
import zipfile

import pytest
import time_machine
from zipstream import ng

from review.errors import ReviewError
from review.exchange.archive import Archive
from review.exchange.files import ExportFile, text_file


def some_files():
    return [text_file("README.md", "Read me."), text_file("videos/ä.mp4", "0" * 5000)]


def test_it_is_a_zip_of_the_announced_size():
    archive = Archive("dives-0.1.0", some_files())
    size = archive.size
    content = b"".join(archive)
    assert len(content) == size
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        assert opened.testzip() is None
        assert opened.namelist() == ["dives-0.1.0/README.md", "dives-0.1.0/videos/ä.mp4"]
        assert opened.read("dives-0.1.0/README.md") == b"Read me."
        assert {info.compress_type for info in opened.infolist()} == {zipfile.ZIP_STORED}


def test_it_has_the_same_bytes_whenever_it_is_made():
    made = []
    for day in ("2020-01-01", "2031-12-31"):
        with time_machine.travel(day):
            made.append(b"".join(Archive("dives", some_files())))
    assert made[0] == made[1]


def test_a_damaged_file_breaks_it_off():
    [file, _] = some_files()
    damaged = ExportFile(file.path, file.size, file.sha256, lambda: iter([b"Read he."]))
    with pytest.raises(ReviewError, match=r"README\.md is not what was frozen"):
        b"".join(Archive("dives", [damaged]))


def test_a_large_video_does_not_go_into_memory():
    block, times = b"\0" * 1_000_000, 300
    digest = hashlib.sha256()
    for _ in range(times):
        digest.update(block)
    video = ExportFile(
        "videos/long.mp4", len(block) * times, digest.hexdigest(), lambda: iter([block] * times)
    )
    archive = Archive("dives", [video])
    tracemalloc.start()
    sent = sum(len(chunk) for chunk in archive)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sent == archive.size > 300_000_000
    assert peak < 5_000_000


def test_more_than_four_gigabytes_still_have_the_announced_size(monkeypatch):
    """The limits of the plain ZIP format, lowered so that a small archive passes them."""
    monkeypatch.setattr(ng, "ZIP64_LIMIT", 1000)
    archive = Archive("dives", [text_file(f"{n}.txt", "0" * 900) for n in range(5)])
    assert len(b"".join(archive)) == archive.size
