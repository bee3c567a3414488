"""A real RT-DETR of random weights, through the backend that a worker loads."""

from __future__ import annotations

import numpy as np
import pytest

from inference.backends.protocols import BackendError, ModelSettings
from tests.inference.backends.tiny_models import moving_clip


def load(folder, threshold):
    from inference.backends.transformers_detector import load

    parameters = {"device": "cpu", "threshold": threshold, "batch_size": 2}
    return load(ModelSettings("transformers-detector", str(folder), parameters=parameters))


def test_boxes_are_those_of_transformers_within_the_frame(detector_folder):
    import torch

    detector = load(detector_folder, 0.0)
    clip = moving_clip(1, 3)
    boxes = detector.find_boxes(clip)
    assert [len(of_frame) > 0 for of_frame in boxes] == [True] * 3
    for left, top, right, bottom in (box for of_frame in boxes for box in of_frame):
        assert 0 <= left < right <= 84
        assert 0 <= top < bottom <= 56
    seen = detector.processor(images=[clip.frames[0]], return_tensors="pt")
    with torch.inference_mode():
        [result] = detector.processor.post_process_object_detection(
            detector.model(**seen), threshold=0.0, target_sizes=[(56, 84)]
        )
    ends = np.array([84, 56, 84, 56])
    expected = np.clip(result["boxes"].numpy().round(), 0, ends).astype(int).tolist()
    assert boxes[0] == [tuple(b) for b in expected if b[0] < b[2] and b[1] < b[3]]


def test_boxes_below_the_threshold_do_not_count(detector_folder):
    assert load(detector_folder, 1.0).find_boxes(moving_clip(1, 3)) == [[], [], []]


def test_a_model_of_another_kind_is_refused(clip_folder):
    with pytest.raises(BackendError) as refused:
        load(clip_folder, 0.5)
    assert refused.value.code == "not_loaded"
