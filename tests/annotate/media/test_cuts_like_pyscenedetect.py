"""Our cuts are PySceneDetect's, whatever the film, the threshold and the size compared."""

from fractions import Fraction

import cv2
import numpy as np
import pytest
from scenedetect import FrameTimecode
from scenedetect.detector import FlashFilter

from annotate.media.cuts import find_cuts, place_cuts
from tests.annotate.media.films import FILMS, detect
from tests.annotate.media.render import render

SETTINGS = [(34, 40), (34, 5), (27, 15), (10, 0), (3, 8)]  # threshold, fewest frames a scene


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    folder = tmp_path_factory.mktemp("films")
    rendered = {}

    def film(name):
        if name not in rendered:
            rendered[name] = FILMS[name].render(folder / f"{len(rendered)}.mkv")
        return rendered[name]

    return film


def compare(path, threshold, least, downscale):
    ours = find_cuts(path, threshold=threshold, min_scene_frames=least, downscale=downscale)
    firsts, values = detect(path, threshold=threshold, min_scene_frames=least, downscale=downscale)
    assert len(ours.values) == len(values)
    assert np.abs(ours.values - values).max() < 1e-4
    assert ours.firsts == firsts


@pytest.mark.parametrize("downscale", [1, 2, 3, 5])
@pytest.mark.parametrize("name", FILMS)
def test_the_cuts_are_those_of_pyscenedetect(films, name, downscale):
    threshold, least = SETTINGS[(list(FILMS).index(name) + downscale) % len(SETTINGS)]
    compare(films(name), threshold, least, downscale)


@pytest.mark.parametrize(("threshold", "least"), SETTINGS)
@pytest.mark.parametrize("name", ["color", "gray fades", "dark fades"])
def test_the_cuts_are_those_of_pyscenedetect_at_every_setting(films, name, threshold, least):
    compare(films(name), threshold, least, 3)


def test_a_gray_film_has_no_cut_where_it_fades_through_black(films):
    """Scaled and converted in one step, dark grays turn magenta, and saturation jumps."""
    cuts = find_cuts(films("gray fades, HD"), threshold=34.0, min_scene_frames=5, downscale=3)
    assert cuts.firsts == [0]


@pytest.mark.parametrize("least", [0, 1, 5, 15])
def test_frames_that_the_filter_need_not_see_change_no_cut(least):
    rate, random = Fraction(30000, 1001), np.random.default_rng(least)
    for share in (0.02, 0.1, 0.3, 1):
        for _ in range(20):
            values = (random.random(random.integers(1, 200)) < share) * 30.0
            every = FlashFilter(FlashFilter.Mode.MERGE, least)
            cuts = [
                cut.frame_num
                for number, value in enumerate(values)
                for cut in every.filter(FrameTimecode(number, rate), bool(value >= 27))
            ]
            firsts = place_cuts(list(values), rate, threshold=27.0, min_scene_frames=least)
            assert firsts == [0, *cuts]


@pytest.mark.parametrize("turned", [(90, False), (180, False), (270, False)])
def test_a_turned_film_has_the_same_values_within_rounding(tmp_path, turned):
    """OpenCV turns the picture before it is scaled, and scaling isn't symmetric to the last bit."""
    path = render(tmp_path / "a.mp4", turned=turned, frames=20)
    ours = find_cuts(path, threshold=3.0, min_scene_frames=1, downscale=3)
    firsts, values = detect(path, threshold=3.0, min_scene_frames=1, downscale=3)
    assert ours.firsts == firsts
    assert np.abs(ours.values - values).max() < 0.1


def test_one_thread_for_opencv_is_put_back(films):
    before = cv2.getNumThreads()
    find_cuts(films("color"), threshold=27.0, min_scene_frames=5)
    assert cv2.getNumThreads() == before
