import hashlib
from fractions import Fraction

import pytest

from annotate.media.probe import hash_file, probe
from tests.annotate.media.render import Sound, render

NTSC = Fraction(30000, 1001)


@pytest.mark.parametrize(
    ("name", "settings", "container", "codec"),
    [
        ("a.mp4", {}, "mp4", "h264"),
        ("a.mov", {"codec": "mpeg4"}, "mp4", "mpeg4"),
        ("a.m4v", {}, "mp4", "h264"),
        ("a.3gp", {}, "mp4", "h264"),
        ("a.mkv", {}, "matroska", "h264"),
        ("a.webm", {"codec": "libvpx-vp9"}, "matroska", "vp9"),
        ("a.avi", {"codec": "mpeg4", "options": {"bf": "2"}}, "avi", "mpeg4"),
        ("a.mpg", {"codec": "mpeg2video"}, "mpeg", "mpeg2video"),
        ("a.ts", {}, "mpegts", "h264"),
        ("a.flv", {"codec": "flv"}, "flv", "flv1"),
        ("a.wmv", {"codec": "wmv2"}, "asf", "wmv2"),
    ],
)
def test_it_measures_every_container(tmp_path, name, settings, container, codec):
    facts = probe(render(tmp_path / name, frames=30, fps=25, **settings))
    assert (facts.container, facts.codec) == (container, codec)
    assert (facts.frames, facts.fps, facts.duration) == (30, 25, Fraction(30, 25))
    assert (facts.width, facts.height, facts.rotation) == (160, 96, 0)
    assert (facts.variable_frame_rate, facts.has_audio) == (False, False)
    assert facts.size == (tmp_path / name).stat().st_size


def test_it_keeps_ntsc_rates_exact(tmp_path):
    facts = probe(render(tmp_path / "a.mkv", frames=20, fps=NTSC))
    assert (facts.fps, facts.duration) == (NTSC, 20 / NTSC)


def test_it_sees_sound(tmp_path):
    assert probe(render(tmp_path / "a.mp4", sound=Sound(0, 1, 1))).has_audio


def test_width_and_height_are_as_seen(tmp_path):
    facts = probe(render(tmp_path / "a.mp4", turned=(90, False)))
    assert (facts.rotation, facts.width, facts.height) == (90, 160, 96)


def test_it_finds_a_variable_frame_rate(tmp_path):
    times = [Fraction(n, 30) + (Fraction(1, 2) if n >= 10 else 0) for n in range(20)]
    facts = probe(render(tmp_path / "a.mp4", times=times))
    assert facts.variable_frame_rate
    assert facts.frames == 20
    assert facts.duration == pytest.approx(float(times[-1]) + 1 / 30, abs=0.04)
    assert facts.fps == (20 / facts.duration).limit_denominator(1001)


def test_the_start_is_the_first_frame_in_the_clock_of_the_file(tmp_path):
    facts = probe(render(tmp_path / "a.ts", frames=10))
    assert facts.start > 0
    assert facts.duration == Fraction(10, 25)


def test_the_hash_is_the_sha256(tmp_path):
    path = tmp_path / "a.mp4"
    path.write_bytes(b"x" * 3_000_000)
    assert hash_file(path) == hashlib.sha256(b"x" * 3_000_000).hexdigest()
