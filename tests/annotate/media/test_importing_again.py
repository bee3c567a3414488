"""A video of a release comes in again with the same bytes; what hides anything doesn't."""

import struct

import pytest

from annotate.media.ingest import Targets, ingest
from annotate.media.probe import Limits
from tests.annotate.media.render import Sound, render

B_FRAMES = {"g": "20", "bf": "3"}


def targets_in(folder):
    folder.mkdir()
    return Targets(folder / "playback.mp4", folder / "poster.jpg", folder / "filmstrip.jpg")


def imported(source, folder):
    targets = targets_in(folder)
    ingest(source, targets, Limits())
    return targets.playback


@pytest.fixture(scope="module")
def playback(tmp_path_factory):
    """A file that was encoded, with sound."""
    folder = tmp_path_factory.mktemp("ready")
    return imported(render(folder / "a.mkv", codec="ffv1", sound=Sound(0.4, 0.8, 2)), folder / "a")


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("a.mkv", {"codec": "ffv1"}),
        ("a.mp4", {"options": B_FRAMES}),
        ("a.mp4", {"options": B_FRAMES, "sound": Sound(0.4, 0.8, 2)}),
        ("a.mp4", {"options": {"g": "10", "bf": "0"}, "fps": 60}),
    ],
)
def test_what_was_imported_once_comes_in_with_its_bytes(tmp_path, name, settings):
    first = imported(render(tmp_path / name, **settings), tmp_path / "first")
    second = imported(first, tmp_path / "second")
    assert second.read_bytes() == first.read_bytes()


def test_encoded_sound_comes_in_with_its_bytes(playback, tmp_path):
    assert imported(playback, tmp_path / "again").read_bytes() == playback.read_bytes()


def box(kind, content):
    return struct.pack(">I4s", 8 + len(content), kind) + content


def grown(data, kind, more):
    """The file with bytes at the end of its last box, which has this type."""
    place = data.rindex(kind) - 4
    [size] = struct.unpack_from(">I", data, place)
    assert place + size == len(data)
    return data[:place] + struct.pack(">I", size + len(more)) + data[place + 4 :] + more


@pytest.mark.parametrize(
    "hidden",
    [
        lambda data: data + box(b"uuid", b"0" * 16 + b"Secret place"),
        lambda data: data + box(b"free", b"Secret place"),
        lambda data: grown(data, b"mdat", b"Secret place"),
    ],
)
def test_what_lies_between_the_samples_stays_outside(playback, tmp_path, hidden):
    source = tmp_path / "hides.mp4"
    source.write_bytes(hidden(playback.read_bytes()))
    assert b"Secret" not in imported(source, tmp_path / "again").read_bytes()
