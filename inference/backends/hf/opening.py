"""Opens pretrained models from a folder or by id: safetensors only, and never runs their code."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, BitsAndBytesConfig, PreTrainedConfig
from transformers.utils import SAFE_WEIGHTS_INDEX_NAME, SAFE_WEIGHTS_NAME
from transformers.utils import logging as transformers_logging
from transformers.utils.hub import cached_file
from transformers.utils.import_utils import is_bitsandbytes_available
from transformers.utils.peft_utils import find_adapter_config_file

from inference.backends.hf.adapters import add_adapter
from inference.backends.protocols import BackendError, ModelSettings
from inference.devices import processor_name

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}

# Classes of models' own that only wrap one of transformers, which is loaded without them.
WRAPPERS = {"GmeQwen2VL", "GmeQwen2VLConfig"}


@dataclass(frozen=True)
class Placement:
    device: torch.device
    dtype: torch.dtype


def place(parameters: Mapping[str, Any]) -> Placement:
    """Return the model's device and dtype: "auto" uses a GPU and bfloat16 if possible."""
    named = str(parameters.get("device") or "auto")
    if named == "auto":
        named = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(named)
    except RuntimeError as error:
        raise BackendError(
            "bad_parameter", f"There is no device {named!r}. Set it to auto, cpu, cuda or cuda:0."
        ) from error
    if device.type == "cuda" and not (device.index or 0) < torch.cuda.device_count():
        raise BackendError(
            "no_device",
            f"This worker has no {named} that torch can use. Set device to auto or cpu, or run "
            "the worker on a machine with a GPU and a CUDA build of torch.",
        )
    return Placement(device, _dtype(str(parameters.get("dtype") or "auto"), device))


def device_name(model: ModelSettings) -> str:
    """Return the name of the GPU or processor that the model's parameters choose here."""
    device = place(model.parameters).device
    return torch.cuda.get_device_name(device) if device.type == "cuda" else processor_name()


def _dtype(named: str, device: torch.device) -> torch.dtype:
    if named in DTYPES:
        return DTYPES[named]
    if named != "auto":
        raise BackendError(
            "bad_parameter", f"There is no dtype {named!r}. Choose auto, {', '.join(DTYPES)}."
        )
    if device.type != "cuda":
        return torch.float32
    return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16


def whole_number(parameters: Mapping[str, Any], name: str, default: int) -> int:
    value = parameters.get(name, default)
    if type(value) is not int or value < 1:
        raise BackendError("bad_parameter", f"{name} is {value!r}. Set a whole number from 1.")
    return value


def origin(model: ModelSettings) -> dict[str, Any]:
    """Return the keyword arguments that every `from_pretrained` call must have."""
    return {"revision": model.revision or None, "trust_remote_code": False}


def read_config(model: ModelSettings) -> Any:
    """Return the model's configuration; raises BackendError if it needs its own code."""
    written, _ = PreTrainedConfig.get_config_dict(model.model_id, **origin(model))
    own = {str(name).rpartition(".")[2] for name in written.get("auto_map", {}).values()}
    if own - WRAPPERS:
        raise BackendError(
            "remote_code",
            f"{model.model_id} brings Python code of its own, which is never run here. "
            "Choose a model that transformers knows, or serve it through openai-compatible.",
        )
    return AutoConfig.from_pretrained(model.model_id, **origin(model))


def weights_files(model: ModelSettings) -> list[Path]:
    """Return the files that `open_weights` reads, none if they can't be told."""
    if single := _stored_file(model, SAFE_WEIGHTS_NAME):
        return [Path(single)]
    index = _stored_file(model, SAFE_WEIGHTS_INDEX_NAME)
    if index is None:
        return []
    names = sorted(set(json.loads(Path(index).read_text())["weight_map"].values()))
    return [Path(file) for name in names if (file := _stored_file(model, name))]


def _stored_file(model: ModelSettings, name: str) -> str | None:
    """Return the path of a file of the model on this machine, None without one."""
    options = {"local_files_only": True, "_raise_exceptions_for_missing_entries": False}
    path: str | None = cached_file(model.model_id, name, **options, **origin(model))
    return path


def open_weights(auto: Any, model: ModelSettings, config: Any, where: Placement) -> Any:
    """Return the model in evaluation mode, on its device. `auto` is a transformers Auto class."""
    # transformers would load the base that an adapter names, which nobody has allowed.
    if find_adapter_config_file(model.model_id, revision=model.revision or None):
        raise BackendError(
            "is_adapter",
            f"{model.model_id} is an adapter. Give its base model's id here, and this one as the "
            "setting adapter.",
        )
    choices = _choices(model.parameters, where)
    opened, report = auto.from_pretrained(
        model.model_id,
        config=config,
        dtype=where.dtype,
        use_safetensors=True,
        output_loading_info=True,
        **choices,
        **origin(model),
    )
    # transformers fills missing weights with random numbers and only warns.
    if report["missing_keys"]:
        raise BackendError(
            "incomplete",
            f"The weights of {model.model_id} are incomplete: {min(report['missing_keys'])} is "
            "missing. Download the model again.",
        )
    if adapter := model.parameters.get("adapter"):
        add_adapter(opened, adapter)
    if "device_map" not in choices:  # With which the weights are in their places.
        opened.to(where.device)
    return opened.eval()


def _choices(parameters: Mapping[str, Any], where: Placement) -> dict[str, Any]:
    """Return how the weights are attended to, stored and placed; raises BackendError."""
    choices: dict[str, Any] = {}
    attention = parameters.get("attention") or "auto"
    if attention != "auto":
        choices["attn_implementation"] = attention
    if parameters.get("device_map") == "auto":
        choices["device_map"] = "auto"
    bits = parameters.get("quantization") or "none"
    if bits != "none":
        if where.device.type != "cuda" or not is_bitsandbytes_available():
            raise BackendError(
                "no_quantization",
                f"Weights of {bits} need a GPU and the library bitsandbytes on the worker. Install "
                "it there (pip install bitsandbytes), or set quantization to none.",
            )
        choices["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=bits == "4-bit",
            load_in_8bit=bits == "8-bit",
            bnb_4bit_compute_dtype=where.dtype,
        )
        choices.setdefault("device_map", {"": where.device})
    return choices


@contextmanager
def opening(model: ModelSettings) -> Iterator[None]:
    """Turn any error while a model is opened into a BackendError."""
    bars = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()  # A worker's log is not a terminal.
    try:
        yield
    except BackendError:
        raise
    except torch.OutOfMemoryError as error:
        raise BackendError(
            "out_of_memory",
            f"{model.model_id} does not fit into the memory of the device. Take a smaller model "
            "or a GPU with more memory, or end what else runs on it.",
        ) from error
    except Exception as error:
        first = str(error).strip().split("\n", 1)[0].rstrip(". ") or type(error).__name__
        raise BackendError(
            "not_loaded",
            f"{model.model_id} can't be loaded: {first}. Give a folder or an id with config.json, "
            "tokenizer and .safetensors weights of a model that this backend knows.",
        ) from error
    finally:
        if bars:
            transformers_logging.enable_progress_bar()
