"""What bench.inference checks of the models on a device, each printed as soon as it is done.

Random weights: the tiny families of the tests, and a Qwen2.5-VL of the shape of 7B, which is made
on the device, so that nothing is read or downloaded. No Django.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoConfig, AutoModelForImageTextToText, AutoTokenizer
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

from inference.backends import transformers_vlm
from inference.backends.hf.chat import QwenChat
from inference.backends.hf.opening import place
from inference.backends.hf.pictures import Eye
from inference.backends.hf.pooling import Prompts
from inference.backends.protocols import (
    BackendError,
    CaptionRequest,
    ClipFrames,
    Generation,
    ModelSettings,
)
from tests.inference.backends.tiny_families import TINY, save_family
from tests.inference.backends.tiny_models import moving_clip, save_qwen

PROMPT = "Describe the video in detail."
MIN_COSINE = 0.98  # of a vector in bfloat16, in a batch and alone
SHAPE_7B = {
    "text_config": {
        "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28,
        "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152064,
        "max_position_embeddings": 32768,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e6,
                            "mrope_section": [16, 24, 24]},
    },
    "vision_config": {
        "depth": 32, "hidden_size": 1280, "intermediate_size": 3420, "num_heads": 16,
        "out_hidden_size": 3584, "window_size": 112, "fullatt_block_indexes": [7, 15, 23, 31],
    },
}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    folder: Path
    device: str
    shape: str
    clips: int
    batch_size: int
    max_tokens: int


class CheckFailed(Exception):
    pass


def run_checks(setting: Setting, minutes: float) -> int:
    """Print each check's result; return how many failed. None starts after `minutes`."""
    until = time.monotonic() + minutes * 60
    failures = 0
    for title, check in CHECKS.items():
        started = time.monotonic()
        if started > until:
            print(f"- {title}: left out, {minutes:g} minutes are over", flush=True)
            continue
        try:
            words = check(setting)
        except Exception as error:
            failures += 1
            words = f"FAILED, {type(error).__name__}: {str(error).splitlines()[0][:300]}"
        print(f"- {title}: {words} ({time.monotonic() - started:.0f} s)", flush=True)
        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
    return failures


def check_families(setting: Setting) -> str:
    """Compare vectors in bfloat16 of clips in a batch and alone, for each tiny family."""
    clips = [moving_clip(seed, frames=4) for seed in range(4)]
    worst = {}
    for family in TINY:
        folder = save_family(setting.folder / family, family)
        options = {"device": setting.device, "dtype": "bfloat16", "max_pixels": 8000,
                   "min_pixels": 784}  # fmt: skip
        try:
            vlm = transformers_vlm.load(ModelSettings("", str(folder), parameters=options))
        except BackendError as error:
            print(f"  - {family}: {error.code}", flush=True)
            continue
        worst[family] = min(cosines(vlm, clips))
        print(f"  - {family}: cosine at least {worst[family]:.4f}", flush=True)
    low = [family for family, cosine in worst.items() if cosine < MIN_COSINE]
    if low:
        raise CheckFailed(f"below {MIN_COSINE}: {', '.join(low)}")
    return f"{len(worst)} of {len(TINY)} families, cosine at least {min(worst.values()):.4f}"


def check_shape(setting: Setting) -> str:
    """Compare batches with a plain loop over transformers, in bfloat16."""
    vlm = model_of(setting)
    clips = clips_of(setting)
    cosine = min(cosines(vlm, clips[: setting.batch_size]))
    requests = [CaptionRequest(clip, PROMPT) for clip in clips]
    generation = Generation(max_tokens=setting.max_tokens)
    ways: dict[str, Callable[[], Any]] = {
        "captions, plain loop": lambda: [plain_caption(vlm, clip, generation) for clip in clips],
        "captions, batches": lambda: vlm.caption(requests, generation),
        "vectors, plain loop": lambda: [plain_vector(vlm, clip) for clip in clips],
        "vectors, batches": lambda: vlm.encode_clips(clips),
    }
    vlm.caption(requests[:1], generation)  # The first call is slower.
    for title, way in ways.items():
        print(f"  - {title}: {rate(way, len(clips)):.2f} a second", flush=True)
    if cosine < MIN_COSINE:
        raise CheckFailed(f"a vector in a batch has a cosine of {cosine:.4f} with itself alone")
    memory = f", {torch.cuda.max_memory_allocated() / 1e9:.1f} GB at most" if is_cuda(vlm) else ""
    return f"{vlm.model.num_parameters():,} weights, cosine at least {cosine:.4f}{memory}"


def check_memory(setting: Setting) -> str:
    """Take away the memory for a batch: each clip has to be answered all the same."""
    vlm = model_of(setting)
    if not is_cuda(vlm):
        return "left out: it needs a GPU"
    clips = clips_of(setting)[: setting.batch_size]
    torch.cuda.reset_peak_memory_stats()
    vlm.encode_clips(clips[:1])
    needed = torch.cuda.max_memory_allocated()
    vlm.encode_clips(clips)
    together = torch.cuda.max_memory_allocated()
    device = vlm.model.device
    whole = torch.cuda.get_device_properties(device).total_memory
    limit = (needed + (together - needed) / 2) / whole
    sizes: list[int] = []
    hook = vlm.model.model.register_forward_pre_hook(
        lambda module, args, inputs: sizes.append(len(inputs["input_ids"])), with_kwargs=True
    )
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(limit, device)
    try:
        answers = vlm.encode_clips(clips)
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0, device)
        hook.remove()
    failed = [answer for answer in answers if isinstance(answer, BackendError)]
    if failed:
        raise CheckFailed(f"{len(failed)} of {len(clips)} clips failed: {failed[0]}")
    if len(sizes) == 1:
        raise CheckFailed("the batch fitted into the memory that was left")
    return f"a batch of {sizes[0]} did not fit and went in batches of {min(sizes[1:])}"


def check_workers(setting: Setting) -> str:
    """Two processes on one device, each with a tiny model."""
    folder = save_qwen(setting.folder / "workers")
    code = (
        "import sys; from bench.device_checks import caption_alone; "
        "print(caption_alone(*sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, str(folder), setting.device]
    rates = []
    for workers in (1, 2):
        running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(workers)]
        written = [process.communicate()[0] for process in running]
        if any(process.returncode for process in running):
            raise CheckFailed(f"one of {workers} workers ended with an error")
        rates.append(sum(float(text.split()[-1]) for text in written))
    return f"{rates[0]:.1f} captions a second with one, {rates[1]:.1f} with two"


def caption_alone(folder: str, device: str) -> float:
    """Return the captions a second of a worker on its own."""
    options = {"device": device, "max_pixels": 8000, "min_pixels": 784}
    vlm = transformers_vlm.load(ModelSettings("", folder, parameters=options))
    requests = [CaptionRequest(moving_clip(seed), PROMPT) for seed in range(8)]
    vlm.caption(requests, Generation(max_tokens=8))
    return rate(lambda: vlm.caption(requests, Generation(max_tokens=64)), len(requests))


def model_of(setting: Setting) -> Any:
    folder = setting.folder / "shape"
    if not folder.exists():
        save_qwen(folder)
    options = {"device": setting.device, "dtype": "bfloat16", "batch_size": setting.batch_size}
    if setting.shape == "tiny":
        bounds = {"max_pixels": 8000, "min_pixels": 784}
        return transformers_vlm.load(ModelSettings("", str(folder), parameters=options | bounds))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    marks = AutoConfig.from_pretrained(folder)
    names = ("image_token_id", "video_token_id", "vision_start_token_id", "vision_end_token_id")
    ids = {name: getattr(marks, name) for name in names}
    config = AutoConfig.for_model("qwen2_5_vl", **SHAPE_7B, **ids)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)
    try:
        with torch.device(place(options).device):
            model = AutoModelForImageTextToText.from_config(config, dtype=torch.bfloat16)
    finally:
        torch.set_default_dtype(before)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    eye = Eye(Qwen2VLImageProcessorPil.from_pretrained(folder), 100_352, 230_400)
    chat = QwenChat(tokenizer, eye, config)
    return transformers_vlm.VideoLanguageModel(
        model.eval(), chat, setting.batch_size, Prompts(chat, {})
    )


def clips_of(setting: Setting) -> list[ClipFrames]:
    frames, height, width = (4, 56, 84) if setting.shape == "tiny" else (16, 360, 640)
    return [moving_clip(seed, frames, height, width) for seed in range(setting.clips)]


def cosines(vlm: Any, clips: Sequence[ClipFrames]) -> list[float]:
    """Return how alike each clip's vector is in a batch and alone."""
    together = vlm.encode_clips(clips)
    alone = [vlm.encode_clips([clip])[0] for clip in clips]
    for vector in (*together, *alone):
        if isinstance(vector, BackendError):
            raise vector
    return [float(np.dot(a, b)) for a, b in zip(together, alone, strict=True)]


@torch.inference_mode()
def plain_caption(vlm: Any, clip: ClipFrames, generation: Generation) -> list[int]:
    turn = vlm.chat.turn(PROMPT, vlm.chat.eye.video(clip))
    inputs = vlm.chat.pack([turn], vlm.model.device)
    written = vlm.model.generate(**inputs, max_new_tokens=generation.max_tokens, do_sample=False)
    return list(written[0, len(turn) :].tolist())


@torch.inference_mode()
def plain_vector(vlm: Any, clip: ClipFrames) -> Any:
    inputs = vlm.chat.pack([vlm.prompts.of_clip(clip)], vlm.model.device)
    states = vlm.model.model(**inputs, use_cache=False).last_hidden_state[:, -1]
    return torch.nn.functional.normalize(states.float(), dim=-1).cpu().numpy()


def rate(way: Callable[[], Any], count: int) -> float:
    started = time.perf_counter()
    way()
    return count / (time.perf_counter() - started)


def is_cuda(vlm: Any) -> bool:
    return bool(vlm.model.device.type == "cuda")


CHECKS: dict[str, Callable[[Setting], str]] = {
    "two workers on one device": check_workers,
    "families in bfloat16, in a batch and alone": check_families,
    "a model in bfloat16 against a plain loop": check_shape,
    "too little memory for a batch": check_memory,
}
