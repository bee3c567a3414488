"""From cuts to clips: ranges, names, the stored curve, and the reasons to leave a video out."""

from fractions import Fraction

import numpy as np
import pytest

from inference.segmentation import Curve, scene_names, spoken, tile, too_few, too_short


def test_clips_tile_the_video():
    assert tile([0, 30, 76], 250) == [(0, 30), (30, 76), (76, 250)]
    assert tile([0], 250) == [(0, 250)]
    assert tile([], 250) == []


def test_a_curve_keeps_the_largest_of_each_step():
    curve = Curve.of(np.array([0, 9, 1, 2, 8, 3, 7], np.float32), most=3)
    assert (curve.step, curve.values.tolist()) == (3, [9, 8, 7])


def test_a_short_curve_is_kept_whole():
    values = np.arange(4000, dtype=np.float32)
    assert Curve.of(values).step == 1
    assert Curve.of(values).values.tolist() == values.tolist()


@pytest.mark.parametrize("frames", [4001, 71_928, 432_000])
def test_a_long_curve_has_at_most_4000_points_and_every_peak(frames):
    values = np.zeros(frames, np.float32)
    values[[0, 3333, frames - 1]] = 80, 90, 100
    curve = Curve.of(values)
    assert 2000 <= len(curve.values) <= 4000
    assert {n: float(curve.values[n]) for n in np.flatnonzero(curve.values)} == {
        0: 80, 3333 // curve.step: 90, (frames - 1) // curve.step: 100,
    }  # fmt: skip


def test_a_curve_is_stored_as_little_endian_float32():
    curve = Curve.of(np.array([0, 1.5, 34.25], np.float32))
    assert curve.to_bytes() == np.array([0, 1.5, 34.25], "<f4").tobytes()
    again = Curve.from_bytes(curve.to_bytes(), curve.step)
    assert (again.step, again.values.tolist()) == (1, [0, 1.5, 34.25])


def test_an_empty_curve_is_stored_and_read():
    assert len(Curve.from_bytes(Curve.of(np.array([], np.float32)).to_bytes(), 1).values) == 0


def test_names_are_those_of_lovr():
    assert scene_names("talk", 2) == ["talk-Scene-001", "talk-Scene-002"]
    names = scene_names("talk", 1234)
    assert (names[0], names[-1]) == ("talk-Scene-0001", "talk-Scene-1234")


@pytest.mark.parametrize(
    ("seconds", "least", "reason"),
    [
        (Fraction(450), 900, "7 min 30 s long; at least 15 min are asked for"),
        (Fraction(26_973, 1000) * 33, 900, "14 min 50 s long; at least 15 min are asked for"),
        (Fraction(900) - Fraction(1, 30), 900, "14 min 59 s long; at least 15 min are asked for"),
        (Fraction(900), 900, ""),
        (Fraction(1), 0, ""),
        (Fraction(999, 100), 12.5, "9.9 s long; at least 12.5 s are asked for"),
        (Fraction(3600), 5400, "1 h long; at least 1 h 30 min are asked for"),
    ],
)
def test_a_short_video_is_left_out_with_both_lengths(seconds, least, reason):
    assert too_short(seconds, least) == reason


@pytest.mark.parametrize(
    ("clips", "reason"),
    [
        (39, "39 clips; at least 40 are asked for"),
        (1, "1 clip; at least 40 are asked for"),
        (40, ""),
    ],
)
def test_a_still_video_is_left_out_with_both_numbers(clips, reason):
    assert too_few(clips, 40) == reason


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (10, "10 s"), (0.04, "0 s"), (60, "1 min"), (3661, "1 h 1 min 1 s")],
)
def test_lengths_are_said_as_people_say_them(seconds, text):
    assert spoken(seconds) == text
