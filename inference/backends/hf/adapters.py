"""LoRA adapters on top of a model's weights, from safetensors alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from safetensors.torch import load_file
from transformers.utils.hub import cached_file

from inference.backends.protocols import BackendError

FILES = ("adapter_config.json", "adapter_model.safetensors")


def add_adapter(opened: Any, adapter: str) -> None:
    """Put the LoRA `adapter`, a folder or an id (`id@revision`), on the model's layers.

    Raises BackendError if it isn’t a LoRA, brings no safetensors or fits another model.
    """
    try:
        from peft import LoraConfig, PeftConfig
    except ImportError as error:
        raise BackendError(
            "not_installed",
            "This worker lacks a library that adapters need (peft). Install it with: "
            "pip install -r requirements-models.txt",
        ) from error
    try:
        settings, weights = (Path(str(_file(adapter, name))) for name in FILES)
        config = PeftConfig.from_pretrained(str(settings.parent))
        # A Megatron configuration names a Python module to import.
        if not isinstance(config, LoraConfig) or config.megatron_config:
            raise BackendError("bad_adapter", f"{adapter} is not a plain LoRA adapter.")
        report = opened.load_adapter(
            peft_config=config, adapter_state_dict=load_file(weights), adapter_name="lora"
        )
    except BackendError:
        raise
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(". ")
        raise BackendError(
            "bad_adapter",
            f"{adapter} can't be loaded as an adapter: {first}. Give a folder or an id with "
            f"{' and '.join(FILES)} of a LoRA that was trained on this model.",
        ) from error
    strange = sorted({*report.missing_keys, *report.unexpected_keys})
    if strange:
        raise BackendError(
            "bad_adapter",
            f"{adapter} doesn't fit the model: {strange[0]} is missing or too much. Name the "
            "model that it was trained on.",
        )


def _file(adapter: str, name: str) -> str | None:
    model_id, _, revision = adapter.partition("@")
    return cached_file(model_id, name, revision=revision or None)
