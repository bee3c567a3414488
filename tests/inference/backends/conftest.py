"""The tiny models, saved once a test process and opened by our own backends."""

from __future__ import annotations

import pytest

from inference.backends.protocols import ModelSettings
from tests.inference.backends.tiny_models import save_clip, save_detector, save_qwen, save_siglip

# A frame of 56 by 84 pixels stays as it is: 4 by 6 patches, 6 tokens a step.
SMALL = {"device": "cpu", "dtype": "float32", "min_pixels": 784, "max_pixels": 8000}


@pytest.fixture(scope="session")
def one_thread():
    """Tests run side by side: more threads than cores only get in each other's way."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def qwen_folder(tmp_path_factory, one_thread):
    return save_qwen(tmp_path_factory.mktemp("qwen"))


@pytest.fixture(scope="session")
def clip_folder(tmp_path_factory, one_thread):
    return save_clip(tmp_path_factory.mktemp("clip"))


@pytest.fixture(scope="session")
def siglip_folder(tmp_path_factory, one_thread):
    return save_siglip(tmp_path_factory.mktemp("siglip"))


@pytest.fixture(scope="session")
def detector_folder(tmp_path_factory, one_thread):
    return save_detector(tmp_path_factory.mktemp("detector"))


@pytest.fixture(scope="session")
def vlm(qwen_folder):
    from inference.backends.transformers_vlm import load

    return load(ModelSettings("transformers-vlm", str(qwen_folder), parameters=SMALL))


@pytest.fixture(scope="session")
def older_vlm(tmp_path_factory, one_thread):
    """A Qwen2-VL."""
    from inference.backends.transformers_vlm import load

    folder = save_qwen(tmp_path_factory.mktemp("qwen2"), "qwen2_vl")
    return load(ModelSettings("transformers-vlm", str(folder), parameters=SMALL))


@pytest.fixture(scope="session")
def clip_model(clip_folder):
    from inference.backends.transformers_dual import load

    return load(ModelSettings("transformers-dual", str(clip_folder), parameters={"device": "cpu"}))


@pytest.fixture(scope="session")
def siglip_model(siglip_folder):
    from inference.backends.transformers_dual import load

    return load(ModelSettings("transformers-dual", str(siglip_folder)))
