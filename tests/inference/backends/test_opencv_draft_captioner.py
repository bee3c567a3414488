"""The measured draft as a captioner: one answer a request, in order, always the same."""

import numpy as np

from inference.backends.opencv_draft import SAMPLING, OpenCVDraft, describe, load
from inference.backends.protocols import (
    BackendError,
    CaptionRequest,
    ClipFrames,
    Generation,
    ModelSettings,
)
from tests.inference.rendered import BLUE, RED, flat, render, texture, with_square

GROUND = texture(1)


def request(clip):
    return CaptionRequest(clip, "Describe the video in detail.")


def test_it_is_a_captioner_that_answers_in_order(tmp_path):
    model = load(ModelSettings("opencv-draft", ""))
    assert isinstance(model, OpenCVDraft)
    red = render(tmp_path, SAMPLING, lambda n: flat(RED), 5)
    blue = render(tmp_path, SAMPLING, lambda n: flat(BLUE), 5)
    answers = model.caption([request(red), request(blue)], Generation())
    assert answers == [describe(red), describe(blue)]
    assert "red (100%)" in answers[0]
    assert "blue (100%)" in answers[1]


def test_the_same_clip_gets_the_same_words(tmp_path):
    clip = render(tmp_path, SAMPLING, lambda n: with_square(GROUND, 4 * n, 60), 10)
    model = load(ModelSettings("opencv-draft", ""))
    warm = Generation(temperature=0.9, seed=7)
    assert model.caption([request(clip)] * 2, warm) == [describe(clip)] * 2


def test_a_broken_clip_fails_alone(tmp_path):
    good = render(tmp_path, SAMPLING, lambda n: GROUND, 5)
    bad = ClipFrames(good.frames.astype(np.float32), good.numbers, 5, 25.0)
    short = ClipFrames(good.frames, good.numbers[:2], 5, 25.0)
    model = load(ModelSettings("opencv-draft", ""))
    first, second, third = model.caption(
        [request(bad), request(short), request(good)], Generation()
    )
    assert isinstance(first, BackendError)
    assert str(first) == (
        "The clip could not be measured. "
        "The frames are float32 (5, 180, 320, 3), not uint8 (n, height, width, 3)."
    )
    assert isinstance(second, BackendError)
    assert second.code == "not_measured"
    assert third == describe(good)
