"""Patches as the library's own image processor cuts them."""

from __future__ import annotations

import numpy as np
import pytest

from inference.backends.protocols import BackendError
from tests.inference.backends.tiny_models import moving_clip


@pytest.fixture(scope="module")
def library(one_thread):
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    return Qwen2VLImageProcessorPil(size={"shortest_edge": 784, "longest_edge": 8000})


@pytest.fixture(scope="module")
def eye(library):
    from inference.backends.hf.pictures import Eye

    return Eye(library, 784, 8000)


def normalized(eye, picture):
    import torch

    return eye.normalize(torch.from_numpy(eye.patches(picture))).numpy()


@pytest.mark.parametrize(("height", "width"), [(56, 84), (61, 203), (400, 90), (10, 12)])
def test_an_image_is_cut_as_the_library_cuts_it(eye, library, height, width):
    frame = moving_clip(1, 1, height, width).frames[0]
    theirs = library(frame, input_data_format="channels_last", return_tensors="np")
    picture = eye.image(frame)
    assert list(picture.grid) == theirs["image_grid_thw"][0].tolist()
    assert np.abs(normalized(eye, picture) - theirs["pixel_values"]).max() < 1e-5
    assert eye.tokens(picture) == len(theirs["pixel_values"]) // 4


def test_a_video_that_stands_still_is_its_image_over_and_over(eye):
    clip = moving_clip(1, 1)
    still = clip.frames.repeat(4, axis=0)
    video = eye.video(type(clip)(still, (0, 1, 2, 3), 4, 25.0))
    image = eye.patches(eye.image(clip.frames[0]))
    assert video.grid == (2, 4, 6)
    assert np.array_equal(eye.patches(video), np.concatenate([image, image]))


def test_two_frames_make_one_step_and_an_odd_one_is_doubled(eye):
    clip = moving_clip(2, 3)
    video = eye.video(clip)
    cells = eye.patches(video).reshape(2, 24, 3, 2, 14 * 14)  # step, patch, color, frame, pixel
    alone = [eye.patches(eye.image(frame)).reshape(24, 3, 2, 196)[:, :, 0] for frame in clip.frames]
    assert np.array_equal(cells[0, :, :, 0], alone[0])
    assert np.array_equal(cells[0, :, :, 1], alone[1])
    assert np.array_equal(cells[1, :, :, 0], alone[2])
    assert np.array_equal(cells[1, :, :, 1], alone[2])
    # 15 frames at 25 a second in two steps.
    assert video.seconds == pytest.approx(0.3)


def test_in_slow_motion_every_frame_is_a_step(eye):
    clip = moving_clip(2, 3)
    slow = eye.slow_video(clip)
    images = [eye.patches(eye.image(frame)) for frame in clip.frames]
    assert slow.grid == (3, 4, 6)
    assert np.array_equal(eye.patches(slow), np.concatenate(images))
    assert slow.seconds == pytest.approx(0.2)


def test_frames_stay_within_the_bounds(eye):
    _, down, across = eye.image(moving_clip(1, 1, 720, 1280).frames[0]).grid
    assert 784 <= down * across * 14 * 14 <= 8000


def test_bounds_that_contradict_are_refused(library):
    from inference.backends.hf.pictures import Eye

    with pytest.raises(BackendError, match=r"min_pixels \(9000\) is above max_pixels \(800\)"):
        Eye(library, 9000, 800)
