"""Which planted changes each detector takes for cuts, and that it sees what PySceneDetect would."""

from __future__ import annotations

from functools import cache

import av
import cv2
import numpy as np
import pytest
from scenedetect import (
    AdaptiveDetector,
    ContentDetector,
    HashDetector,
    HistogramDetector,
    ThresholdDetector,
)

from annotate.media.cuts import Cuts, find_cuts
from annotate.media.detectors import open_detector
from tests.annotate.media.films import detect

FRAMES, WIDTH, HEIGHT = 120, 160, 90
THRESHOLDS = {"content": 27.0, "adaptive": 3.0, "threshold": 12, "hash": 0.35, "histogram": 0.2}
THEIRS = {
    "content": ContentDetector,
    "adaptive": AdaptiveDetector,
    "threshold": ThresholdDetector,
    "hash": HashDetector,
    "histogram": HistogramDetector,
}
# Film -> where scenes begin, by each detector in that order.
PLANTED = {
    "hard_cuts": ([0, 40, 80], [0, 40, 80], [0], [0, 40, 80], [0, 40]),
    "fade": ([0, 60], [0, 60], [0, 60], [0, 60], [0, 57]),
    "flash": ([0, 60], [0, 60], [0], [0], [0, 60]),
    "pan": ([0, 41, 80], [0], [0], [0], [0]),
}


@cache
def scene(number: int) -> np.ndarray:
    """Blurred blocks, as in a photograph out of focus, four times as wide as a frame."""
    random = np.random.default_rng(number)
    blocks = random.integers(20, 256, (6, 40, 3), dtype=np.uint8)
    return cv2.resize(blocks, (4 * WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)


def view(number: int, left: int = 0) -> np.ndarray:
    return scene(number)[:, left : left + WIDTH].astype(float)


def hard_cuts(frame: int) -> np.ndarray:
    return view(frame // 40, frame % 40)


def fade(frame: int) -> np.ndarray:
    """Through black from frame 50 to 70."""
    return view(frame // 60, frame // 4) * min(abs(frame - 60) / 10, 1)


def flash(frame: int) -> np.ndarray:
    """A camera's flash in frame 60."""
    return view(0, frame // 4) if frame != 60 else view(0, 15) * 0.2 + 204


def pan(frame: int) -> np.ndarray:
    """The camera turns quickly, 10 pixels a frame, from frame 40 to 80."""
    return view(0, 10 * min(max(frame - 40, 0), 40))


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted")
    paths = {}
    for draw in (hard_cuts, fade, flash, pan):
        paths[draw.__name__] = path = folder / f"{draw.__name__}.mkv"
        with av.open(str(path), "w") as output:
            stream = output.add_stream("ffv1", rate=25)
            stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "bgr0"
            for number in range(FRAMES):
                picture = draw(number).clip(0, 255).astype(np.uint8)
                output.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
            output.mux(stream.encode())
    return paths


def test_each_detector_sees_what_pyscenedetect_does_in_planted_films(films):
    scenes = {}
    for film, path in films.items():
        for name, threshold in THRESHOLDS.items():
            detector = open_detector(name, threshold)
            scenes[film, name] = find_cuts(path, detector=detector, min_scene_frames=15).firsts
            theirs = THEIRS[name](threshold, min_scene_len=15)
            assert scenes[film, name] == detect(path, theirs), (film, name)
    assert scenes == {
        (film, name): firsts
        for film, row in PLANTED.items()
        for name, firsts in zip(THRESHOLDS, row, strict=True)
    }


@pytest.mark.parametrize("name", THRESHOLDS)
def test_a_cut_needs_a_value_of_at_least_the_threshold(films, name):
    film = films["fade" if name == "threshold" else "hard_cuts"]

    def cut(threshold: float) -> Cuts:
        return find_cuts(film, detector=open_detector(name, threshold), min_scene_frames=15)

    highest = float(cut(THRESHOLDS[name]).values.max())
    above, below = highest + 0.01, highest - 0.01
    if name == "threshold":  # its values are those of darkness
        above, below = 255 - above, 255 - below
    assert len(cut(below).firsts) > 1
    assert cut(above).firsts == [0]
