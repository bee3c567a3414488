"""A ZIP or folder from somebody else is read, or refused with what to do."""

import io
import warnings
import zipfile

import pytest

from review.errors import ReviewError
from review.exchange import bundle
from review.exchange.bundle import Folder, open_bundle
from review.exchange.strict_json import read_json_lines


def zipped(*members: tuple[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of two members of the same name
        for name, content in members:
            archive.writestr(name, content)
    return data.getvalue()


DIVES = zipped(("dives/a.json", b"[1, 2, 3]"), ("dives/b.json", b"[]"))


def read(data: bytes, name: str = "a.json") -> bytes:
    with open_bundle(io.BytesIO(data), "dives.zip") as opened:
        return opened.read(name)


def test_the_folder_in_a_zip_is_left_out_of_names():
    assert read(DIVES) == b"[1, 2, 3]"


def test_files_that_a_system_put_beside_the_others_are_ignored(tmp_path):
    files = {"dives/a.json": b"1", "dives/.DS_Store": b"\0", "__MACOSX/dives/._a.json": b"\0"}
    with open_bundle(io.BytesIO(zipped(*files.items())), "dives.zip") as opened:
        assert opened.names == {"a.json"}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    assert Folder(tmp_path).names == {"dives/a.json"}


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (DIVES, "c.json", "dives.zip/c.json is missing."),
        (zipped(("a.json", b"1"), ("a.json", b"2")), "a.json",
         "dives.zip has two files of the same name. Make the ZIP again."),
        (DIVES.replace(b"dives/b", b"\0ives/b"), "a.json",
         "dives.zip: the path '' leads out of the ZIP. Make it again."),
        (zipped((".", b"1")), "a.json",
         "dives.zip: the path '.' leads out of the ZIP. Make it again."),
        (DIVES.replace(b"[1, 2, 3]", b"[1, 2, 4]"), "a.json",
         "a.json is damaged in the ZIP. Make the ZIP again."),
        (DIVES.replace(b"\x14\0\0\0\0\0", b"\x14\0\1\0\0\0"), "a.json",
         "dives.zip: 'dives/a.json' has a password. Make the ZIP without one."),
        (b"PK", "a.json",
         "dives.zip isn’t a ZIP. Choose the ZIP of the release, or its folder on the server."),
    ],
)  # fmt: skip
def test_each_fault_of_a_zip(data, name, message):
    with pytest.raises(ReviewError) as refused:
        read(data, name)
    assert str(refused.value) == message


def test_a_damaged_stream_is_refused():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", b"[1, 2, 3]" * 99)
    start = len("a.json") + 30
    damaged = data.getvalue()[:start] + b"\xff" * 9 + data.getvalue()[start + 9 :]
    with pytest.raises(ReviewError) as refused:
        read(damaged)
    assert str(refused.value) == "a.json is damaged in the ZIP. Make the ZIP again."


@pytest.mark.parametrize(
    ("limit", "value", "message"),
    [
        ("MAX_MEMBERS", 1, "dives.zip has more than 1 files."),
        ("MAX_IN_MEMORY", 4, "a.json is larger than 0 MiB."),
    ],
)
def test_the_limits_of_a_zip(monkeypatch, limit, value, message):
    monkeypatch.setattr(bundle, limit, value)
    with pytest.raises(ReviewError) as refused:
        read(DIVES)
    assert str(refused.value) == message


def test_a_path_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "a.json").mkdir()
    folder = Folder(tmp_path)
    folder.names = frozenset(["a.json"])
    with pytest.raises(ReviewError) as refused:
        folder.read("a.json")
    assert str(refused.value) == f"Can't read {tmp_path / 'a.json'}: Is a directory."
    with pytest.raises(ReviewError) as refused, open_bundle(tmp_path / "none.zip"):
        pass
    assert (
        str(refused.value) == f"{tmp_path / 'none.zip'} can’t be read: No such file or directory."
    )


def test_lines_of_json_are_limited_in_length(monkeypatch):
    monkeypatch.setattr("review.exchange.strict_json.MAX_LINE_LENGTH", 8)
    lines = io.BytesIO(b"[1]\n\n[1, 2, 3]\n")
    rows = read_json_lines(lines, "a.jsonl")
    assert next(rows) == (1, [1])
    with pytest.raises(ReviewError) as refused:
        next(rows)
    assert str(refused.value) == "a.jsonl, line 3: it is longer than 0 MiB."
