"""The kinds of model, their abilities, and the models that can be loaded.

Plain data: a web process reads it without loading any model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from inference.backends.clip_forms import CLIP_FORMS
from inference.backends.embedding_styles import (
    AUTO,
    CARE,
    EMBEDDING_STYLES,
    FRAMES,
    LAST_TOKEN,
    MEAN,
    VIDEO,
)
from inference.backends.long_texts import CUT, LONG_TEXTS
from inference.backends.protocols import ModelSettings
from inference.errors import InferenceError
from inference.model_facts import NOT_DESCRIBED, TRANSNETV2, Description
from inference.models import ModelSpec
from inference.parameters import Parameter
from inference.plugins import ABILITIES, installed_plugins
from inference.sampling import MEASURED, MEASURED_SIDE, Sampling

Backend = ModelSpec.Backend


class Role(StrEnum):
    CAPTIONER = "captioner"
    ENCODER = "encoder"
    TEXT = "text model"  # answers a prompt, such as the one for keywords
    JOINER = "joiner"  # joins two paragraphs into one text
    JUDGE = "judge"  # finds elements of captions and judges them, by its own rules
    DETECTOR = "detector"  # finds objects in frames, whose regions EVQAScore compares
    CUTTER = "cutter"  # finds cuts


@dataclass(frozen=True)
class BackendInfo:
    label: str
    module: str
    roles: frozenset[Role]
    queue: str
    says: str
    needs_id: bool = True
    parameters: tuple[Parameter, ...] = ()
    # The only frames, and their longer side, that it can use, whatever a run asks for.
    sampling: Sampling | None = None
    longest_side: int | None = None
    # Whether a captioner's prompt makes a difference.
    reads_prompt: bool = True
    # What is known of its weights, if it has only these.
    weights: Description = NOT_DESCRIBED


_DEVICE = (
    Parameter("device", str, "auto", "auto, cpu, cuda or cuda:0", choices=()),
    Parameter("dtype", str, "auto", "auto is bfloat16 on a GPU, float32 else",
              choices=("auto", "float32", "bfloat16", "float16")),
    Parameter("attention", str, "auto", "auto is what transformers chooses",
              choices=("auto", "sdpa", "eager", "flash_attention_2")),
    Parameter("batch_size", int, 8, "clips or texts at once", least=1, most=512),
)  # fmt: skip

_EMBEDDING = (
    Parameter("embed_as", str, CARE, "the published model whose prompts and pooling an encoder has",
              choices=EMBEDDING_STYLES, is_later=True),
    Parameter("instruction", str, "", "the system message of an encoder", is_later=True),
    Parameter("prompt", str, "", "an encoder's prompt after the picture or video, such as {text} "
              "Summary above {kind} in one word:", is_later=True),
    Parameter("pooling", str, AUTO, "auto is the last token",
              choices=(AUTO, LAST_TOKEN, MEAN), is_later=True),
    Parameter("clip_as", str, AUTO, "a clip's vector is that of a video, or the mean over frames",
              choices=(AUTO, VIDEO, FRAMES), is_later=True),
)  # fmt: skip

_WEIGHTS = (
    Parameter("device_map", str, "none", "auto spreads the weights over the worker’s GPUs",
              choices=("none", "auto"), is_later=True),
    Parameter("quantization", str, "none", "smaller weights, on a GPU with bitsandbytes",
              choices=("none", "8-bit", "4-bit"), is_later=True),
    Parameter("adapter", str, "", "a LoRA: a folder or an id on the list of allowed models, "
              "or id@revision", is_later=True),
)  # fmt: skip

_SERVED = (
    Parameter("server", str, "", "the name of a model server"),
    Parameter("parallel", int, 8, "requests at once", least=1, most=64),
    Parameter("timeout", float, 120.0, "seconds a request may take", least=1, most=3600),
    Parameter("tries", int, 4, "tries of a request", least=1, most=10),
    Parameter("max_frames", int, 64, "frames of a clip that are sent", least=1, most=512),
    Parameter("longest_side", int, 768, "pixels of a frame's longer side", least=64, most=4096),
)  # fmt: skip
ON_SERVERS = {Backend.OPENAI_COMPATIBLE, Backend.HTTP_PROTOCOL}
_COMPOSING = {Backend.TRANSFORMERS_VLM, Backend.OPENAI_COMPATIBLE}

BUILT_IN: Mapping[str, BackendInfo] = {
    Backend.OPENCV_DRAFT: BackendInfo(
        "Measured draft (OpenCV)",
        "inference.backends.opencv_draft",
        frozenset({Role.CAPTIONER}),
        "cpu",
        "Writes only what it measures: length, shots, colors, brightness, motion. "
        "No download, no language model.",
        needs_id=False,
        sampling=MEASURED,
        longest_side=MEASURED_SIDE,
        reads_prompt=False,
    ),
    Backend.LEXICAL: BackendInfo(
        "Lexical vectors",
        "inference.backends.lexical",
        frozenset({Role.ENCODER}),
        "cpu",
        "Hashed TF-IDF vectors of words; a clip is represented by its measured draft. "
        "No download, and no understanding of pictures.",
        needs_id=False,
        parameters=(Parameter("dimension", int, 512, "numbers a vector", least=64, most=8192),),
        sampling=MEASURED,
        longest_side=MEASURED_SIDE,
    ),
    Backend.PLAIN_JOINER: BackendInfo(
        "Plain joiner",
        "inference.backends.plain_joiner",
        frozenset({Role.JOINER}),
        "cpu",
        "Joins two paragraphs by a connective and drops repeated sentences. "
        "A rule, not a language model.",
        needs_id=False,
    ),
    Backend.WORD_OVERLAP: BackendInfo(
        "Word overlap",
        "inference.backends.word_overlap",
        frozenset({Role.JUDGE}),
        "cpu",
        "For CapST without a model: elements by plain rules, entailed when all their words are in "
        "the text. Not a language model.",
        needs_id=False,
    ),
    Backend.TRANSFORMERS_VLM: BackendInfo(
        "Video-language model (transformers)",
        "inference.backends.transformers_vlm",
        frozenset({Role.CAPTIONER, Role.ENCODER, Role.TEXT, Role.JOINER}),
        "gpu",
        "Qwen-VL, InternVL, LLaVA, SmolVLM, Gemma and other families that transformers has, on "
        "this machine or a GPU worker. As an encoder it answers in one word (CARE), or like "
        "another embedding model.",
        parameters=(
            *_DEVICE,
            Parameter("max_pixels", int, 230_400, "pixels of a frame at most", least=784),
            Parameter("min_pixels", int, 100_352, "pixels of a frame at least (Qwen-VL)",
                      least=784),
            Parameter("thinking", str, "auto", "off: the chat template is told that the model does "
                      "not think first", choices=("auto", "off"), is_later=True),
            *_WEIGHTS,
            *_EMBEDDING,
        ),
    ),
    Backend.TRANSFORMERS_DUAL: BackendInfo(
        "Dual encoder (transformers)",
        "inference.backends.transformers_dual",
        frozenset({Role.ENCODER}),
        "gpu",
        "CLIP, SigLIP, X-CLIP, VideoPrism and what loads the same way.",
        parameters=(
            *_DEVICE,
            Parameter("long_texts", str, CUT, "a text longer than the encoder reads (77 tokens of "
                      "CLIP): cut, or the mean of windows of that length", choices=LONG_TEXTS,
                      is_later=True),
        ),
    ),
    Backend.TRANSFORMERS_DETECTOR: BackendInfo(
        "Object detector (transformers)",
        "inference.backends.transformers_detector",
        frozenset({Role.DETECTOR}),
        "gpu",
        "RT-DETR and what loads the same way: the regions of frames that EVQAScore compares with "
        "keywords.",
        parameters=(
            _DEVICE[0],
            Parameter("threshold", float, 0.5, "score above which a box counts", least=0, most=1),
            Parameter("batch_size", int, 8, "frames at once", least=1, most=512),
        ),
    ),
    Backend.TRANSNETV2: BackendInfo(
        "Shot detector (TransNetV2)",
        "inference.backends.transnetv2",
        frozenset({Role.CUTTER}),
        "gpu",
        "A small network that was trained to see cuts and dissolves. A segment run can cut by it.",
        needs_id=False,
        parameters=(
            _DEVICE[0],
            Parameter("batch_size", int, 4, "windows of 100 frames at once", least=1, most=64),
        ),
        weights=TRANSNETV2,
    ),
    Backend.OPENAI_COMPATIBLE: BackendInfo(
        "Model server (OpenAI-compatible)",
        "inference.backends.openai_compatible",
        frozenset({Role.CAPTIONER, Role.ENCODER, Role.TEXT, Role.JOINER}),
        "cpu",
        "vLLM, SGLang or a hosted service. Superusers add servers.",
        parameters=(
            *_SERVED,
            Parameter("clip_as", str, "pictures", "pictures; pictures, each after its second; or a "
                      "video, in the request (MP4) or at an address of this site, as vLLM and "
                      "SGLang take it for most families", choices=CLIP_FORMS, is_later=True),
            Parameter("left_out", str, "", "parameters never sent, such as temperature, seed; "
                      "those that the server refuses are found by themselves", is_later=True),
            Parameter("extra_body", str, "", 'JSON that is sent along, such as '
                      '{"reasoning_effort": "low"}', is_json=True, is_later=True),
            Parameter("instruction", str, "", "what an encoder is told to represent, such as "
                      "Represent the user's input.", is_later=True),
        ),
    ),
    Backend.HTTP_PROTOCOL: BackendInfo(
        "Model server (Vericap’s protocol)",
        "inference.backends.http_protocol",
        frozenset({Role.CAPTIONER, Role.ENCODER, Role.TEXT, Role.JOINER}),
        "cpu",
        "Any model behind four calls: describe, embed, complete and health. A server of one’s own "
        "has about 60 lines.",
        parameters=_SERVED,
    ),
    Backend.ELSEWHERE: BackendInfo(
        "Made elsewhere",
        "",
        frozenset(),
        "cpu",
        "A model whose results are imported. It can’t be run here, but tables of results show its "
        "family and size.",
    ),
}  # fmt: skip


_ROLES = dict(zip(ABILITIES, (Role.CAPTIONER, Role.ENCODER, Role.TEXT, Role.JOINER, Role.JUDGE),
                  strict=True))  # fmt: skip

PLUGINS = {
    plugin.name: BackendInfo(
        plugin.name,
        plugin.module,
        frozenset(_ROLES[ability] for ability in plugin.abilities),
        "gpu" if plugin.needs_gpu else "cpu",
        plugin.says,
        parameters=(
            *_DEVICE,
            Parameter("options", str, "", "the backend's own, as a JSON object", is_json=True),
        ),
    )
    for plugin in installed_plugins(BUILT_IN)
}
BACKENDS: Mapping[str, BackendInfo] = {**BUILT_IN, **PLUGINS}


def backend_info(name: str) -> BackendInfo:
    """Return the backend; one that can do nothing if its package is no longer installed."""
    says = "The package that brought it isn’t installed here. Install it, or retire the model."
    return BACKENDS.get(name) or BackendInfo(name, "", frozenset(), "cpu", says)


def info(spec: ModelSpec) -> BackendInfo:
    return backend_info(spec.backend)


def has_role(spec: ModelSpec, role: Role) -> bool:
    return role in info(spec).roles


def may_compose(spec: ModelSpec) -> bool:
    """Return whether an encoder may read a clip and a text in one prompt; of a plugin, only the
    worker that loads it can tell.
    """
    return spec.backend in _COMPOSING or spec.backend in PLUGINS


def stated_parameters(backend: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that a recipe states: all but later ones at their default."""
    later = {own.name: own.default for own in backend_info(backend).parameters if own.is_later}
    return {
        name: value
        for name, value in parameters.items()
        if name not in later or value != later[name]
    }


def model_settings(spec: ModelSpec) -> ModelSettings:
    """Return the settings to load the backend with, with defaults for missing parameters."""
    return ModelSettings(
        backend=spec.backend,
        model_id=spec.model_id,
        revision=spec.revision,
        parameters=checked_parameters(spec.backend, spec.parameters),
    )


def checked_parameters(backend: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return all parameters of the backend. Raises InferenceError, which names the invalid one."""
    parameters = {parameter.name: parameter for parameter in backend_info(backend).parameters}
    strange = sorted(set(values) - set(parameters))
    if strange:
        raise InferenceError(
            f"{strange[0]} isn't a parameter of {backend_info(backend).label}. "
            f"It has: {', '.join(parameters) or 'none'}."
        )
    return {name: parameters[name].checked(values.get(name)) for name in parameters}
