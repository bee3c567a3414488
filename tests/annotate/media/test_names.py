import pytest

from annotate.media.errors import MediaError
from annotate.media.names import check_file_name


@pytest.mark.parametrize(
    "name",
    ["clip.mp4", "CLIP.MP4", "two words (1).webm", "日本語.mov", "a" * 196 + ".mkv", "قفزة.3gp"],
)
def test_it_accepts_a_plain_name_as_it_is(name):
    assert check_file_name(name) == name


def test_it_composes_accents():
    assert check_file_name("cafe\u0301.mp4") == "caf\u00e9.mp4"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "..",
        "../clip.mp4",
        "a..mp4",
        "dir/clip.mp4",
        "/etc/passwd.mp4",
        "dir\\clip.mp4",
        "clip\0.mp4",
        "clip\n.mp4",
        "clip\x7f.mp4",
        "clip\u202e4pm.mp4",
        "clip\ud800.mp4",
        ".hidden.mp4",
        ".mp4",
        " .mp4",
        "a" * 197 + ".mp4",
        "é" * 99 + ".mp4",
        "clip",
        "clip.txt",
        "clip.mp4.exe",
        "list.m3u8",
        "CON.mp4",
        "nul.tar.mp4",
        "com1 .mp4",
        "clip.mp4.",
    ],
)
def test_it_refuses_an_unsafe_name_with_a_way_out(name):
    with pytest.raises(MediaError) as refused:
        check_file_name(name)
    assert refused.value.code == "bad_name"
    assert refused.value.message.endswith(".")
