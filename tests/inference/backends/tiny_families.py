"""Families of video-language models with random weights, each of two tiny layers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.inference.backends.tiny_models import letter_tokenizer

# A message in marks, with pictures where they stand.
TEMPLATE = (
    "{%% for message in messages %%}<|im_start|>{{ message['role'] }}\n"
    "{%% for part in message['content'] %%}{%% if part['type'] == 'image' %%}%(image)s"
    "{%% elif part['type'] == 'video' %%}%(video)s{%% else %%}{{ part['text'] }}{%% endif %%}"
    "{%% endfor %%}<|im_end|>\n{%% endfor %%}"
    "{%% if add_generation_prompt %%}<|im_start|>assistant\n{%% endif %%}"
)
TEXT = {
    "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 4096,
    "initializer_range": 0.4,
}  # fmt: skip
EYES = {"hidden_size": 32, "intermediate_size": 48, "num_attention_heads": 4,
        "num_hidden_layers": 2, "initializer_range": 0.4}  # fmt: skip
QWEN_EYES = {"depth": 2, "hidden_size": 32, "intermediate_size": 48, "num_heads": 2,
             "out_hidden_size": 32, "patch_size": 14, "initializer_range": 0.4}  # fmt: skip
MROPE = {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [2, 1, 1]}
LINEAR = {
    "layer_types": ["linear_attention", "full_attention"], "linear_key_head_dim": 8,
    "linear_value_head_dim": 8, "linear_num_key_heads": 2, "linear_num_value_heads": 4,
}  # fmt: skip
SMALL_SQUARE = {"height": 28, "width": 28}
PIXELS = {"shortest_edge": 784, "longest_edge": 8000}


@dataclass(frozen=True)
class Tiny:
    """`marks`: the names of the tokenizer's attributes and their tokens. `ids`: names of the
    configuration's fields and the marks whose ids they hold.
    """

    config: dict[str, Any]
    marks: dict[str, str]
    ids: dict[str, str]
    pictures: tuple[str, dict[str, Any]]
    processor: dict[str, Any] = field(default_factory=dict)
    videos: dict[str, Any] = field(default_factory=dict)
    template: dict[str, str] = field(default_factory=dict)


QWEN_MARKS = {
    "image_token": "<|image_pad|>", "video_token": "<|video_pad|>",
    "vision_start_token": "<|vision_start|>", "vision_end_token": "<|vision_end|>",
}  # fmt: skip
QWEN_IDS = {f"{name}_id": mark for name, mark in QWEN_MARKS.items()}
MARKS = {"image_token": "<image>", "video_token": "<video>"}
IDS = {"image_token_id": "<image>", "video_token_id": "<video>"}
QWEN_PICTURES = ("Qwen2VLImageProcessorPil", {"patch_size": 14, "size": PIXELS})

TINY = {
    "qwen3_vl": Tiny(
        {"text_config": {**TEXT, "rope_parameters": MROPE},
         "vision_config": {**QWEN_EYES, "deepstack_visual_indexes": [0]}},
        QWEN_MARKS, QWEN_IDS, QWEN_PICTURES,
        {"processor_class": "Qwen3VLProcessor"},
    ),
    "qwen3_5": Tiny(
        {"text_config": {**TEXT, **LINEAR,
                         "rope_parameters": {**MROPE, "partial_rotary_factor": 1.0}},
         "vision_config": QWEN_EYES},
        QWEN_MARKS, QWEN_IDS, QWEN_PICTURES,
        {"processor_class": "Qwen3VLProcessor"},
    ),
    "internvl": Tiny(
        {"text_config": {**TEXT, "model_type": "qwen2"},
         "vision_config": {**EYES, "image_size": [28, 28], "patch_size": [7, 7]},
         "image_seq_length": 4},
        {"start_image_token": "<img>", "end_image_token": "</img>",
         "context_image_token": "<IMG_CONTEXT>", "video_token": "<video>"},
        {"image_token_id": "<IMG_CONTEXT>"},
        ("GotOcr2ImageProcessorPil", {"size": SMALL_SQUARE, "crop_to_patches": True}),
        {"processor_class": "InternVLProcessor", "image_seq_length": 4},
        {"video_processor_type": "InternVLVideoProcessor", "size": SMALL_SQUARE},
        {"image": "<IMG_CONTEXT>"},
    ),
    "llava_onevision": Tiny(
        {"text_config": {**TEXT, "model_type": "qwen2"},
         "vision_config": {**EYES, "model_type": "siglip_vision_model", "image_size": 28,
                           "patch_size": 7, "vision_use_head": False},
         "image_grid_pinpoints": [[28, 28], [28, 56]]},
        MARKS, {"image_token_index": "<image>", "video_token_index": "<video>"},
        ("LlavaOnevisionImageProcessorPil",
         {"size": SMALL_SQUARE, "image_grid_pinpoints": [[28, 28], [28, 56]]}),
        {"processor_class": "LlavaOnevisionProcessor", "num_image_tokens": 16,
         "vision_feature_select_strategy": "full"},
        {"video_processor_type": "LlavaOnevisionVideoProcessor", "size": SMALL_SQUARE},
    ),
    "llava_next": Tiny(
        {"text_config": {**TEXT, "model_type": "llama"},
         "vision_config": {**EYES, "model_type": "clip_vision_model", "image_size": 28,
                           "patch_size": 7, "projection_dim": 16},
         "image_grid_pinpoints": [[28, 28], [28, 56]], "image_seq_length": 16},
        {"image_token": "<image>"}, {"image_token_index": "<image>"},
        ("LlavaNextImageProcessorPil",
         {"size": {"shortest_edge": 28}, "crop_size": SMALL_SQUARE,
          "image_grid_pinpoints": [[28, 28], [28, 56]]}),
        {"processor_class": "LlavaNextProcessor", "patch_size": 7,
         "num_additional_image_tokens": 1, "vision_feature_select_strategy": "default"},
    ),
    "llava_next_video": Tiny(
        {"text_config": {**TEXT, "model_type": "llama"},
         "vision_config": {**EYES, "model_type": "clip_vision_model", "image_size": 28,
                           "patch_size": 7, "projection_dim": 16},
         "image_grid_pinpoints": [[28, 28], [28, 56]], "image_seq_length": 16},
        MARKS, {"image_token_index": "<image>", "video_token_index": "<video>"},
        ("LlavaNextImageProcessorPil",
         {"size": {"shortest_edge": 28}, "crop_size": SMALL_SQUARE,
          "image_grid_pinpoints": [[28, 28], [28, 56]]}),
        {"processor_class": "LlavaNextVideoProcessor", "patch_size": 7,
         "num_additional_image_tokens": 1, "vision_feature_select_strategy": "default"},
        {"video_processor_type": "LlavaNextVideoVideoProcessor", "size": {"shortest_edge": 28},
         "crop_size": SMALL_SQUARE},
    ),
    "smolvlm": Tiny(
        {"text_config": {**TEXT, "model_type": "llama"},
         "vision_config": {**EYES, "image_size": 28, "patch_size": 7}, "scale_factor": 2},
        {"image_token": "<image>", "fake_image_token": "<fake_token_around_image>",
         "global_image_token": "<global-img>", "end_of_utterance_token": "<end_of_utterance>",
         "video_token": "<video>"},
        {"image_token_id": "<image>"},
        ("SmolVLMImageProcessorPil",
         {"size": {"longest_edge": 28}, "max_image_size": {"longest_edge": 28}}),
        {"processor_class": "SmolVLMProcessor", "image_seq_len": 4},
        {"video_processor_type": "SmolVLMVideoProcessor", "size": {"longest_edge": 28},
         "max_image_size": {"longest_edge": 28}},
    ),
    "video_llama_3": Tiny(
        {"text_config": {**TEXT, "model_type": "qwen2"},
         "vision_config": {**EYES, "patch_size": 14}},
        MARKS, IDS,
        ("VideoLlama3ImageProcessorPil",
         {"patch_size": 14, "merge_size": 1, "min_pixels": 784, "max_pixels": 3136}),
        {"processor_class": "VideoLlama3Processor"},
        {"video_processor_type": "VideoLlama3VideoProcessor", "patch_size": 14, "merge_size": 2,
         "min_pixels": 784, "max_pixels": 8000},
    ),
    "glm46v": Tiny(
        {"text_config": {**TEXT, "rope_parameters": {**MROPE, "partial_rotary_factor": 1.0}},
         "vision_config": {**QWEN_EYES, "image_size": 28}},
        {"image_token": "<|image|>", "video_token": "<|video|>", "a": "<|begin_of_image|>",
         "b": "<|end_of_image|>", "c": "<|begin_of_video|>", "d": "<|end_of_video|>"},
        {"image_token_id": "<|image|>", "video_token_id": "<|video|>",
         "image_start_token_id": "<|begin_of_image|>", "image_end_token_id": "<|end_of_image|>",
         "video_start_token_id": "<|begin_of_video|>", "video_end_token_id": "<|end_of_video|>"},
        ("Glm46VImageProcessorPil", {"patch_size": 14, "size": PIXELS}),
        {"processor_class": "Glm46VProcessor"},
        {"video_processor_type": "Glm46VVideoProcessor", "patch_size": 14,
         "size": {"shortest_edge": 784, "longest_edge": 80000}},
        {"image": "<|begin_of_image|><|image|><|end_of_image|>",
         "video": "<|begin_of_video|><|video|><|end_of_video|>"},
    ),
    "gemma3": Tiny(
        {"text_config": TEXT,
         "vision_config": {**EYES, "image_size": 28, "patch_size": 7, "vision_use_head": False},
         "mm_tokens_per_image": 4},
        {"image_token": "<image_soft_token>", "boi_token": "<start_of_image>",
         "eoi_token": "<end_of_image>"},
        {"image_token_index": "<image_soft_token>", "boi_token_index": "<start_of_image>",
         "eoi_token_index": "<end_of_image>"},
        ("Gemma3ImageProcessorPil", {"size": SMALL_SQUARE}),
        {"processor_class": "Gemma3Processor", "image_seq_length": 4},
        template={"image": "<start_of_image>"},
    ),
    "gemma4": Tiny(
        {"text_config": {**TEXT, "hidden_size_per_layer_input": 0, "global_head_dim": 8,
                         "vocab_size_per_layer_input": 128},
         "vision_config": {**EYES, "num_key_value_heads": 4, "head_dim": 8, "patch_size": 7,
                           "pooling_kernel_size": 2},
         "audio_config": None},
        {"image_token": "<|image|>", "boi_token": "<|image>", "eoi_token": "<image|>",
         "audio_token": "<|audio|>", "boa_token": "<|audio>", "eoa_token": "<audio|>",
         "video_token": "<|video|>"},
        {"image_token_id": "<|image|>", "video_token_id": "<|video|>", "boi_token_id": "<|image>",
         "eoi_token_id": "<image|>", "audio_token_id": "<|audio|>", "boa_token_id": "<|audio>",
         "eoa_token_index": "<audio|>"},
        ("Gemma4ImageProcessorPil",
         {"patch_size": 7, "pooling_kernel_size": 2, "max_soft_tokens": 70}),
        {"processor_class": "Gemma4Processor"},
        {"video_processor_type": "Gemma4VideoProcessor", "patch_size": 7,
         "pooling_kernel_size": 2, "max_soft_tokens": 70},
    ),
    "minicpmv4_6": Tiny(
        {"text_config": {**TEXT, **LINEAR, "model_type": "qwen3_5_text",
                         "rope_parameters": {**MROPE, "partial_rotary_factor": 1.0}},
         "vision_config": {**EYES, "image_size": 112, "patch_size": 7, "insert_layer_id": 0},
         "insert_layer_id": 0, "image_size": 56},
        {**MARKS, "image_start_token": "<image_start>", "image_end_token": "</image>",
         "slice_start_token": "<slice>", "slice_end_token": "</slice>",
         "image_id_start_token": "<image_id>", "image_id_end_token": "</image_id>"},
        IDS,
        ("MiniCPMV4_6ImageProcessorPil", {"patch_size": 7, "scale_resolution": 56}),
        {"processor_class": "MiniCPMV4_6Processor"},
        {"video_processor_type": "MiniCPMV4_6VideoProcessor", "patch_size": 7,
         "scale_resolution": 56},
    ),
    "qwen2_5_omni": Tiny(
        {"thinker_config": {
            "text_config": {**TEXT, "rope_parameters": MROPE,
                            "layer_types": ["full_attention"] * 2},
            "vision_config": {"depth": 2, "hidden_size": 32, "intermediate_size": 48,
                              "num_heads": 2, "out_hidden_size": 32, "window_size": 112,
                              "fullatt_block_indexes": [1], "initializer_range": 0.4},
            "audio_config": {"d_model": 16, "encoder_layers": 1, "encoder_attention_heads": 2,
                             "encoder_ffn_dim": 16, "output_dim": 32}}},
        {**QWEN_MARKS, "audio_token": "<|AUDIO|>", "vision_bos_token": "<|vision_bos|>",
         "vision_eos_token": "<|vision_eos|>", "audio_bos_token": "<|audio_bos|>",
         "audio_eos_token": "<|audio_eos|>"},
        {"image_token_id": "<|image_pad|>", "video_token_id": "<|video_pad|>",
         "audio_token_id": "<|AUDIO|>", "vision_start_token_id": "<|vision_bos|>",
         "vision_end_token_id": "<|vision_eos|>"},
        QWEN_PICTURES,
        {"processor_class": "Qwen2_5OmniProcessor"},
        {"video_processor_type": "Qwen2VLVideoProcessor", "size": PIXELS},
        {"image": "<|vision_bos|><|image_pad|><|vision_eos|>",
         "video": "<|vision_bos|><|video_pad|><|vision_eos|>"},
    ),
    "molmo2": Tiny(
        {"text_config": {**TEXT, "additional_vocab_size": 8},
         "vision_config": {**EYES, "num_key_value_heads": 4, "head_dim": 8, "patch_size": 7,
                           "image_size": [28, 28]},
         "adapter_config": {"vision_feature_layer": [-1], "hidden_size": 32, "head_dim": 8,
                            "num_attention_heads": 4, "num_key_value_heads": 4,
                            "intermediate_size": 48, "text_hidden_size": 32}},
        {"image_token": "<|image|>", "video_token": "<|video|>", "a": "<im_patch>",
         "b": "<im_col>", "c": "<im_start>", "d": "<low_res_im_start>", "e": "<frame_start>",
         "f": "<im_end>", "g": "<frame_end>", "h": "<im_low>"},
        {"image_start_token_id": "<im_start>", "low_res_image_start_token_id": "<low_res_im_start>",
         "image_end_token_id": "<im_end>", "image_patch_id": "<im_patch>",
         "frame_start_token_id": "<frame_start>", "frame_end_token_id": "<frame_end>"},
        ("Molmo2ImageProcessor", {"size": SMALL_SQUARE, "patch_size": 7, "max_crops": 2,
                                  "overlap_margins": [1, 1]}),
        {"processor_class": "Molmo2Processor"},
        {"video_processor_type": "Molmo2VideoProcessor", "size": SMALL_SQUARE, "patch_size": 7},
    ),
}  # fmt: skip


def save_family(folder: Path, family: str) -> Path:
    import torch
    from transformers import AutoConfig, AutoModelForImageTextToText

    tiny = TINY[family]
    extra = list(dict.fromkeys(tiny.marks.values()))
    image, video = (tiny.template.get(kind) or tiny.marks.get(f"{kind}_token", "")
                    for kind in ("image", "video"))  # fmt: skip
    template = TEMPLATE % {"image": image, "video": video}
    tokenizer = letter_tokenizer(
        ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *extra],
        more="<>()",
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        chat_template=template,
        extra_special_tokens=tiny.marks,
    )
    ids = {name: tokenizer.convert_tokens_to_ids(mark) for name, mark in tiny.ids.items()}
    whole = AutoConfig.for_model(family, **tiny.config)
    config = getattr(whole, "thinker_config", whole)
    for name, value in ids.items():
        setattr(config, name, value)
    text = config.get_text_config()
    text.vocab_size = len(tokenizer)
    text.bos_token_id = text.pad_token_id = tokenizer.pad_token_id
    text.eos_token_id = tokenizer.eos_token_id
    torch.manual_seed(1)
    model = AutoModelForImageTextToText.from_config(config)
    for weights in model.parameters():
        if weights.dim() > 1 and not weights.any():  # Gemma 3 begins without seeing.
            torch.nn.init.normal_(weights)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.save_pretrained(folder)
    whole.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    name, settings = tiny.pictures
    for file, written in (
        ("preprocessor_config.json", {"image_processor_type": name, **settings}),
        ("processor_config.json", tiny.processor),
        ("video_preprocessor_config.json", tiny.videos),
    ):
        if written:
            (folder / file).write_text(json.dumps(written))
    return folder
