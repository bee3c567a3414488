"""LoRA adapters, smaller weights, and which of them are allowed."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from inference.backends.protocols import BackendError, ModelSettings
from tests.inference.backends.conftest import SMALL
from tests.inference.backends.tiny_families import save_family
from tests.inference.backends.tiny_models import moving_clip

# Of peft 0.21 with transformers 5.23.
pytestmark = pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing:FutureWarning")


def settings_of(folder, **parameters) -> ModelSettings:
    return ModelSettings("transformers-vlm", str(folder), parameters={**SMALL, **parameters})


@pytest.fixture(scope="module")
def qwen3(tmp_path_factory, one_thread):
    return save_family(tmp_path_factory.mktemp("qwen3"), "qwen3_vl")


@pytest.fixture(scope="module")
def lora(tmp_path_factory, qwen3):
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForImageTextToText

    base = AutoModelForImageTextToText.from_pretrained(qwen3)
    layers = LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    trained = get_peft_model(base, layers)
    folder = tmp_path_factory.mktemp("lora")
    trained.save_pretrained(folder)
    return folder, trained.merge_and_unload()


def test_an_adapter_changes_the_model_as_peft_merges_it(qwen3, lora):
    import torch

    from inference.backends.transformers_vlm import load

    folder, merged = lora
    adapted = load(settings_of(qwen3, adapter=str(folder)))
    clip = moving_clip(1, frames=3)
    turn = adapted.chat.turn("Say.", adapted.chat.eye.video(clip))
    packed = adapted.chat.pack([turn], torch.device("cpu"))
    with torch.inference_mode():
        expected = merged.model(**packed, use_cache=False).last_hidden_state
        assert torch.allclose(
            adapted.model.model(**packed, use_cache=False).last_hidden_state, expected, atol=1e-4
        )
    plain = load(settings_of(qwen3)).encode_clips([clip])[0]
    assert np.abs(adapted.encode_clips([clip])[0] - plain).max() > 1e-3


def test_only_a_fitting_lora_of_safetensors_is_an_adapter(qwen3, lora, tmp_path):
    import torch

    from inference.backends.transformers_vlm import load

    folder, _ = lora
    pickled = tmp_path / "pickled"
    shutil.copytree(folder, pickled)
    (pickled / "adapter_model.safetensors").unlink()
    torch.save({}, pickled / "adapter_model.bin")
    other = save_family(tmp_path / "other", "gemma3")
    disguised = tmp_path / "disguised"
    shutil.copytree(qwen3, disguised)
    shutil.copy(folder / "adapter_config.json", disguised)
    for settings, code, words in (
        (settings_of(qwen3, adapter=str(pickled)), "bad_adapter", "adapter_model.safetensors"),
        (settings_of(other, adapter=str(folder)), "bad_adapter", "is missing or too much"),
        (settings_of(disguised), "is_adapter", "is an adapter. Give its base model's id here"),
        (settings_of(qwen3, quantization="4-bit"), "no_quantization", "need a GPU and the library"),
    ):
        with pytest.raises(BackendError) as refused:
            load(settings)
        assert refused.value.code == code
        assert words in str(refused.value)


def test_an_adapter_must_be_allowed_and_no_earlier_hash_changes(settings):
    from inference.allowed_models import refuse_unlisted
    from inference.errors import InferenceError
    from inference.registry import checked_parameters, stated_parameters

    backend = "transformers-vlm"
    settings.VERICAP_ALLOWED_MODELS = ["Qwen/*"]
    refuse_unlisted(backend, "Qwen/a", {"adapter": "Qwen/lora@abc"})
    with pytest.raises(InferenceError, match="me/lora is not on the list"):
        refuse_unlisted(backend, "Qwen/a", {"adapter": "me/lora@abc"})
    usual = checked_parameters(backend, {})
    later = {"thinking", "device_map", "quantization", "adapter"}
    assert not stated_parameters(backend, usual).keys() & later
    chosen = checked_parameters(backend, {"quantization": "4-bit"})
    assert stated_parameters(backend, chosen).keys() & later == {"quantization"}
