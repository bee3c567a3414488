"""Real models with random weights, small enough for a test: a Qwen2.5-VL, a CLIP, a SigLIP.

Imports torch inside the functions, so that collecting the tests doesn't wait for it.
"""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import numpy as np

from inference.backends.protocols import ClipFrames

# The shape of Qwen2.5-VL's own template: a default role, pictures before text, roles in marks.
CHAT_TEMPLATE = (
    "{% if messages[0]['role'] != 'system' %}"
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n{% endif %}"
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% elif part['type'] == 'video' %}<|vision_start|><|video_pad|><|vision_end|>"
    "{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
QWEN_MARKS = [
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>",
    "<|image_pad|>", "<|video_pad|>",
]  # fmt: skip
ENDINGS = "01"
CLIP_MARKS = ["<|startoftext|>", "<|endoftext|>"]
TEXT_LIMIT = 24


def letter_tokenizer(marks: list[str], more: str = "", **options: Any) -> Any:
    """One token a letter, then the marks; every text that such a model writes can be read."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    # How ByteLevel writes a space and a line's end.
    letters = [*string.ascii_letters, *string.digits, *".,:;?!'-", "Ġ", "Ċ", *more]
    tokenizer = Tokenizer(models.BPE({letter: n for n, letter in enumerate(letters)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(marks)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **options)


def save_qwen(folder: Path, family: str = "qwen2_5_vl") -> Path:
    """Two layers of a Qwen2.5-VL or a Qwen2-VL, with weights so large that pictures matter."""
    import torch
    from transformers import AutoConfig, AutoModelForImageTextToText
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    tokenizer = letter_tokenizer(
        QWEN_MARKS, eos_token="<|im_end|>", pad_token="<|endoftext|>", chat_template=CHAT_TEMPLATE
    )
    number = {mark: tokenizer.convert_tokens_to_ids(mark) for mark in QWEN_MARKS}
    eyes = {
        "qwen2_vl": {"embed_dim": 32, "hidden_size": 64, "mlp_ratio": 2},
        "qwen2_5_vl": {
            "hidden_size": 32,
            "intermediate_size": 48,
            "out_hidden_size": 64,
            "window_size": 112,
            "fullatt_block_indexes": [1],
        },
    }
    config = AutoConfig.for_model(
        family,
        text_config={
            "vocab_size": len(tokenizer),
            "hidden_size": 64,
            "intermediate_size": 96,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "max_position_embeddings": 2048,
            "initializer_range": 0.2,
            "rope_parameters": {
                "rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [2, 3, 3],
            },
            "bos_token_id": number["<|endoftext|>"],
            "eos_token_id": number["<|im_end|>"],
        },
        vision_config={**eyes[family], "depth": 2, "num_heads": 2, "initializer_range": 0.2},
        image_token_id=number["<|image_pad|>"],
        video_token_id=number["<|video_pad|>"],
        vision_start_token_id=number["<|vision_start|>"],
        vision_end_token_id=number["<|vision_end|>"],
        initializer_range=0.2,
    )  # fmt: skip
    torch.manual_seed(1)
    model = AutoModelForImageTextToText.from_config(config)
    # A random model hardly ever writes one certain token, so three of them end its texts.
    endings = tokenizer.convert_tokens_to_ids(list(ENDINGS))
    model.generation_config.eos_token_id = [number["<|im_end|>"], *endings]
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    Qwen2VLImageProcessorPil().save_pretrained(folder)
    return folder


def save_clip(folder: Path) -> Path:
    import torch
    from transformers import CLIPConfig, CLIPModel
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    tokenizer = text_tokenizer()
    small = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2}
    config = CLIPConfig(
        text_config={
            **small,
            "num_attention_heads": 4,
            "vocab_size": len(tokenizer),
            "max_position_embeddings": TEXT_LIMIT,
            "bos_token_id": tokenizer.bos_token_id,
            "eos_token_id": tokenizer.eos_token_id,
        },
        vision_config={**small, "num_attention_heads": 4, "image_size": 32, "patch_size": 8},
        projection_dim=20,
    )
    torch.manual_seed(2)
    CLIPModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    CLIPImageProcessorPil(
        size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}
    ).save_pretrained(folder)
    return folder


def save_siglip(folder: Path) -> Path:
    import torch
    from transformers import SiglipConfig, SiglipModel
    from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil

    tokenizer = text_tokenizer()
    small = {"hidden_size": 24, "intermediate_size": 48, "num_hidden_layers": 2}
    config = SiglipConfig(
        text_config={
            **small,
            "num_attention_heads": 4,
            "vocab_size": len(tokenizer),
            "max_position_embeddings": TEXT_LIMIT,
            "projection_size": 24,
        },
        vision_config={**small, "num_attention_heads": 4, "image_size": 32, "patch_size": 8},
    )
    torch.manual_seed(3)
    SiglipModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    SiglipImageProcessorPil(size={"height": 32, "width": 32}).save_pretrained(folder)
    return folder


def save_detector(folder: Path) -> Path:
    """An RT-DETR that is sure of every box, as its weights are random."""
    import torch
    from transformers import RTDetrConfig, RTDetrForObjectDetection, RTDetrResNetConfig
    from transformers.models.rt_detr.image_processing_pil_rt_detr import RTDetrImageProcessorPil

    sides = [8, 16, 16, 16]
    backbone = RTDetrResNetConfig(
        embedding_size=8,
        hidden_sizes=sides,
        depths=[1] * 4,
        out_features=["stage2", "stage3", "stage4"],
    )
    config = RTDetrConfig(
        backbone_config=backbone,
        encoder_hidden_dim=16, encoder_in_channels=sides[1:], encoder_ffn_dim=16,
        encoder_attention_heads=2, d_model=16, decoder_in_channels=[16] * 3, decoder_ffn_dim=16,
        decoder_layers=1, decoder_attention_heads=2, num_queries=6, num_denoising=0, num_labels=3,
        initializer_range=0.5,
    )  # fmt: skip
    torch.manual_seed(4)
    processor = RTDetrImageProcessorPil(size={"height": 64, "width": 64})
    return _save(folder, RTDetrForObjectDetection(config), processor)


SMALL = {"hidden_size": 32, "intermediate_size": 48, "num_attention_heads": 4}


def save_xclip(folder: Path) -> Path:
    """It sees 4 frames of a clip."""
    import torch
    from transformers import XCLIPConfig, XCLIPModel
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    tokenizer = text_tokenizer()
    layers = {**SMALL, "num_hidden_layers": 2}
    config = XCLIPConfig(
        text_config={
            **layers,
            "vocab_size": len(tokenizer),
            "max_position_embeddings": TEXT_LIMIT,
            "eos_token_id": tokenizer.eos_token_id,
        },
        vision_config={
            **layers, "image_size": 32, "patch_size": 8, "num_frames": 4, "mit_hidden_size": 20,
            "mit_intermediate_size": 32, "mit_num_attention_heads": 4, "mit_num_hidden_layers": 1,
        },
        projection_dim=20,
    )  # fmt: skip
    torch.manual_seed(4)
    return _save(folder, XCLIPModel(config), tokenizer, CLIPImageProcessorPil(
        size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}
    ))  # fmt: skip


def save_videoprism(folder: Path) -> Path:
    """It sees 4 frames of a clip, and has no image processor of its own."""
    import torch
    from transformers import VideoPrismClipModel, VideoPrismConfig

    tokenizer = text_tokenizer()
    config = VideoPrismConfig(
        text_config={
            **SMALL, "num_hidden_layers": 2, "vocab_size": len(tokenizer),
            "max_position_embeddings": TEXT_LIMIT, "pad_token_id": tokenizer.pad_token_id,
        },
        vision_config={
            **SMALL, "image_size": 32, "num_frames": 4, "tubelet_size": [1, 8, 8],
            "num_spatial_layers": 1, "num_temporal_layers": 1, "num_auxiliary_layers": 1,
        },
    )  # fmt: skip
    torch.manual_seed(5)
    return _save(folder, VideoPrismClipModel(config), tokenizer)


def save_blip2(folder: Path, family: str = "Blip2Model") -> Path:
    """As Blip2Model it has no vector of a text; as Blip2ForImageTextRetrieval it has."""
    import torch
    import transformers
    from transformers import Blip2Config
    from transformers.models.blip.image_processing_pil_blip import BlipImageProcessorPil

    tokenizer = text_tokenizer()
    layers = {**SMALL, "num_hidden_layers": 2}
    config = Blip2Config(
        vision_config={**layers, "image_size": 32, "patch_size": 8},
        qformer_config={**layers, "encoder_hidden_size": 32, "vocab_size": len(tokenizer),
            "use_qformer_text_input": family != "Blip2Model",
        },
        text_config={
            "model_type": "opt", "hidden_size": 24, "ffn_dim": 32, "num_hidden_layers": 1,
            "num_attention_heads": 2, "word_embed_proj_dim": 24, "vocab_size": len(tokenizer),
            "max_position_embeddings": TEXT_LIMIT,
        },
        num_query_tokens=4,
        image_text_hidden_size=20,
    )  # fmt: skip
    torch.manual_seed(6)
    processor = BlipImageProcessorPil(size={"height": 32, "width": 32})
    return _save(folder, getattr(transformers, family)(config), tokenizer, processor)


def _save(folder: Path, *parts: Any) -> Path:
    for part in parts:
        part.save_pretrained(folder)
    return folder


def text_tokenizer() -> Any:
    """Like CLIP's: a mark at either end of each text, padded with the last."""
    from tokenizers.processors import TemplateProcessing

    start, end = CLIP_MARKS
    tokenizer = letter_tokenizer(
        CLIP_MARKS, bos_token=start, eos_token=end, pad_token=end, model_max_length=TEXT_LIMIT
    )
    ids = [(mark, tokenizer.convert_tokens_to_ids(mark)) for mark in CLIP_MARKS]
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(f"{start} $A {end}", None, ids)
    return tokenizer


def moving_clip(seed: int, frames: int = 4, height: int = 56, width: int = 84) -> ClipFrames:
    """A noisy square that wanders: no two frames and no two seeds are alike."""
    noise = np.random.default_rng(seed)
    pictures = noise.integers(0, 80, (frames, height, width, 3), np.uint8)
    for number in range(frames):
        top, left = 4 + 3 * number + seed, 6 + 5 * number
        pictures[number, top : top + 20, left : left + 24] = noise.integers(120, 255, 3, np.uint8)
    return ClipFrames(pictures, tuple(range(0, frames * 5, 5)), frames * 5, 25.0)
