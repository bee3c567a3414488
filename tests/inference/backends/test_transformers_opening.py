"""What is loaded, where it runs, and what is refused."""

from __future__ import annotations

import json
import shutil

import pytest

from inference.backends.protocols import BackendError, ModelSettings


def load_vlm(folder, **parameters):
    from inference.backends.transformers_vlm import load

    return load(ModelSettings("transformers-vlm", str(folder), parameters=parameters))


def load_dual(folder, **parameters):
    from inference.backends.transformers_dual import load

    return load(ModelSettings("transformers-dual", str(folder), parameters=parameters))


def refusal(load, folder, **parameters) -> BackendError:
    with pytest.raises(BackendError) as refused:
        load(folder, **parameters)
    return refused.value


def copied(folder, target):
    shutil.copytree(folder, target)
    return target


def edit_config(folder, **changes):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


@pytest.fixture
def pickled(clip_folder, tmp_path):
    """The CLIP with its weights in a pickle, which may run anything when it is opened."""
    import torch
    from safetensors.torch import load_file

    folder = copied(clip_folder, tmp_path / "pickled")
    weights = folder / "model.safetensors"
    torch.save(load_file(weights), folder / "pytorch_model.bin")
    weights.unlink()
    return folder


def test_pickled_weights_are_refused(pickled):
    error = refusal(load_dual, pickled)
    assert error.code == "not_loaded"
    assert "safetensors" in str(error)


@pytest.mark.parametrize(
    "file", ["config.json", "tokenizer_config.json", "preprocessor_config.json"]
)
def test_code_of_the_models_own_is_never_run(qwen_folder, tmp_path, file):
    folder = copied(qwen_folder, tmp_path / "coded")
    ran = tmp_path / "ran"
    (folder / "own.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Own: pass\n")
    path = folder / file
    path.touch()
    written = json.loads(path.read_text() or "{}")
    names = ["AutoConfig", "AutoTokenizer", "AutoModelForImageTextToText", "AutoImageProcessor"]
    written["auto_map"] = dict.fromkeys(names, "own.Own")
    written["auto_map"]["AutoTokenizer"] = ["own.Own", None]
    path.write_text(json.dumps(written))
    if file == "config.json":
        error = refusal(load_vlm, folder)
        assert error.code == "remote_code"
        assert str(error).endswith(
            "brings Python code of its own, which is never run here. Choose a model that "
            "transformers knows, or serve it through openai-compatible."
        )
    else:
        load_vlm(folder)  # Its own classes are passed over for those of the library.
    assert not ran.exists()


def test_a_wrapper_around_a_known_class_is_passed_over(qwen_folder, tmp_path):
    folder = copied(qwen_folder, tmp_path / "wrapped")
    edit_config(folder, auto_map={"AutoModel": "modeling_gme_qwen2vl.GmeQwen2VL"})
    assert load_vlm(folder).dimension == 64


def test_a_model_type_that_nobody_knows_is_refused(qwen_folder, tmp_path):
    folder = copied(qwen_folder, tmp_path / "unknown")
    edit_config(folder, model_type="homemade")
    assert refusal(load_vlm, folder).code == "not_loaded"


def test_missing_weights_are_not_made_up(clip_folder, tmp_path):
    from safetensors.torch import load_file, save_file

    folder = copied(clip_folder, tmp_path / "torn")
    weights = load_file(folder / "model.safetensors")
    del weights["visual_projection.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    error = refusal(load_dual, folder)
    assert error.code == "incomplete"
    assert "visual_projection.weight is missing. Download the model again." in str(error)


def test_a_model_of_the_other_kind_is_refused_with_a_way_on(clip_folder, qwen_folder):
    error = refusal(load_vlm, clip_folder)
    assert error.code == "unknown_family"
    assert "is a clip model, which transformers can't ask about pictures." in str(error)
    assert refusal(load_dual, qwen_folder).code == "unknown_family"


def test_a_folder_that_is_not_there_is_named(tmp_path):
    error = refusal(load_dual, tmp_path / "nowhere")
    assert error.code == "not_loaded"
    assert str(error).startswith(f"{tmp_path / 'nowhere'} can't be loaded: ")


def test_device_and_dtype_follow_what_is_there(qwen_folder):
    import torch

    where = load_vlm(qwen_folder, device="cpu").model
    assert (where.device.type, where.dtype) == ("cpu", torch.float32)
    half = load_vlm(qwen_folder, device="cpu", dtype="bfloat16").model
    assert half.dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("parameters", "code", "words"),
    [
        ({"device": "cuda:77"}, "no_device", "This worker has no cuda:77 that torch can use."),
        ({"device": "abacus"}, "bad_parameter", "There is no device 'abacus'."),
        ({"dtype": "int3"}, "bad_parameter", "There is no dtype 'int3'."),
        ({"batch_size": 0}, "bad_parameter", "batch_size is 0."),
        ({"max_pixels": "many"}, "bad_parameter", "max_pixels is 'many'."),
    ],
)
def test_a_wrong_parameter_is_named(qwen_folder, parameters, code, words):
    error = refusal(load_vlm, qwen_folder, **parameters)
    assert error.code == code
    assert str(error).startswith(words)


def test_a_model_in_bfloat16_answers_too(qwen_folder, clip_folder, vlm, clip_model):
    import numpy as np

    from tests.inference.backends.conftest import SMALL
    from tests.inference.backends.tiny_models import moving_clip

    rough_vlm = load_vlm(qwen_folder, **{**SMALL, "dtype": "bfloat16"})
    rough_dual = load_dual(clip_folder, device="cpu", dtype="bfloat16")
    for rough, fine in ((rough_vlm, vlm), (rough_dual, clip_model)):
        a, b = rough.encode_clips([moving_clip(1)])[0], fine.encode_clips([moving_clip(1)])[0]
        assert a.dtype == np.float32
        assert float(a @ b) > 0.99


def test_the_attention_is_as_asked(qwen_folder):
    assert load_vlm(qwen_folder, attention="eager").model.config._attn_implementation == "eager"
    error = refusal(load_vlm, qwen_folder, attention="flash_attention_9")
    assert error.code == "not_loaded"
    assert "flash_attention_9" in str(error)


def test_a_model_can_be_told_not_to_think(qwen_folder, tmp_path):
    folder = copied(qwen_folder, tmp_path / "thinker")
    with (folder / "chat_template.jinja").open("a") as template:
        template.write("{% if enable_thinking is defined and not enable_thinking %}No.{% endif %}")
    for thinking, end in (("off", "assistant\nNo."), ("auto", "assistant\n")):
        chat = load_vlm(folder, thinking=thinking).chat
        assert chat.tokenizer.decode(chat.turn("Say.").ids).endswith(end)


@pytest.mark.django_db
@pytest.mark.parametrize("backend", ["transformers-vlm", "transformers-dual"])
def test_the_defaults_of_the_registry_load(backend, qwen_folder, clip_folder, settings):
    from inference.loading import forget_models, load_model
    from inference.registry import checked_parameters

    folder = str(qwen_folder if backend == "transformers-vlm" else clip_folder)
    settings.VERICAP_ALLOWED_MODELS = [folder]
    model = ModelSettings(backend, folder, parameters=checked_parameters(backend, {}))
    opened = load_model(model)
    assert opened.batch_size == 8
    assert load_model(model) is opened
    forget_models()
