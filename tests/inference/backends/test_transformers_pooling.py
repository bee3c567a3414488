"""The ways to embed of a real Qwen2.5-VL of random weights."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from inference.backends.hf.pooling import STYLES, Prompts
from inference.backends.protocols import BackendError, ComposedEncoder, ComposedQuery
from tests.inference.backends.tiny_models import moving_clip

CLIP = moving_clip(1, frames=3)
QUERY = ComposedQuery(CLIP, "2 {kind} turns")
IN_CHAT = (
    "<|im_start|>system\n{}<|im_end|>\n<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
)
VIDEO, IMAGE = (f"<|vision_start|><|{kind}_pad|><|vision_end|>" for kind in ("video", "image"))
HELPFUL, OURS = "You are a helpful assistant.", "Represent the user's input."
LLAMA_3 = (
    "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\n{}<|eot_id|>"
    "<|start_header_id|>assistant<|end_header_id|>\n\n \n"
)
# Of a text, a clip (or its frame), and a composed query.
WRITTEN = {
    "CARE": (
        IN_CHAT.format(HELPFUL, "Snow\nSummary above sentence in one word:"),
        IN_CHAT.format(HELPFUL, f"{VIDEO}\nSummary above video in one word:"),
        IN_CHAT.format(
            HELPFUL,
            f'{VIDEO}\nModify this video with "2 {{kind}} turns", describe modified video in one '
            "word:",
        ),
    ),
    "E5-V": (
        LLAMA_3.format("Snow\nSummary above sentence in one word: "),
        LLAMA_3.format("<|image_pad|>\nSummary above image in one word: "),
        LLAMA_3.format(
            '<|image_pad|>Modify this image with "2 {kind} turns", desribe modified image in one '
            "word: "
        ),
    ),
    "GME": (
        IN_CHAT.format(HELPFUL, "Snow") + "<|endoftext|>",
        IN_CHAT.format(HELPFUL, IMAGE) + "<|endoftext|>",
        IN_CHAT.format(HELPFUL, f"{IMAGE}2 {{kind}} turns") + "<|endoftext|>",
    ),
    "VLM2Vec": (
        "Snow",
        "<|video_pad|> Represent the given video.",
        "<|video_pad|> Given a video, find a similar video with the described changes: "
        "2 {kind} turns",
    ),
    "Qwen3-VL-Embedding": (
        IN_CHAT.format(OURS, "Snow"),
        IN_CHAT.format(OURS, VIDEO),
        IN_CHAT.format(OURS, f"{VIDEO}2 {{kind}} turns"),
    ),
}


def writing(chat):
    """Return a chat whose turns are the prompts as texts."""
    return SimpleNamespace(
        eye=chat.eye, turn=lambda text, picture=None, **how: chat.written(text, picture, **how)
    )


def with_options(vlm, monkeypatch, **options):
    monkeypatch.setattr(vlm, "prompts", Prompts(vlm.chat, options))
    return vlm


@pytest.mark.parametrize("name", STYLES)
def test_each_style_reads_what_its_model_was_trained_on(vlm, name):
    prompts = Prompts(writing(vlm.chat), {"embed_as": name})
    if prompts.has_frames:
        clip, query = (
            prompts.of_frame(CLIP.frames[0]),
            prompts.of_frame_query((CLIP.frames[0], QUERY.text)),
        )
    else:
        clip, query = prompts.of_clip(CLIP), prompts.of_query(QUERY)
    assert (prompts.of_text("Snow"), clip, query) == WRITTEN[name]


def test_options_replace_those_of_the_style(vlm):
    writer = writing(vlm.chat)
    prompts = Prompts(writer, {"prompt": "{text}: {kind}?", "instruction": "Find it"})
    assert prompts.of_text("Snow") == IN_CHAT.format("Find it.", "Snow: sentence?")
    assert prompts.of_clip(CLIP) == IN_CHAT.format("Find it.", f"{VIDEO}: video?")
    with pytest.raises(BackendError, match=r"^embed_as is 'BLIP'\. Choose from: CARE, E5-V, "):
        Prompts(writer, {"embed_as": "BLIP"})


@pytest.mark.parametrize("options", [{}, {"pooling": "mean"}, {"clip_as": "frames"}])
def test_a_composed_query_depends_on_its_clip_and_its_text(vlm, monkeypatch, options):
    with_options(vlm, monkeypatch, **options)
    assert isinstance(vlm, ComposedEncoder)
    queries = [
        QUERY,
        ComposedQuery(moving_clip(2, frames=5), QUERY.text),
        ComposedQuery(CLIP, "It is longer, and about snow."),
    ]
    together = vlm.encode_composed(queries)
    for query, vector in zip(queries, together, strict=True):
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)
        assert np.abs(vlm.encode_composed([query])[0] - vector).max() < 1e-4
    for other in together[1:]:
        assert np.abs(together[0] - other).max() > 0.01


def test_the_mean_is_over_the_tokens_of_the_prompt_alone(vlm, monkeypatch):
    import torch

    last = vlm.encode_texts(["Snow"])[0]
    mean = with_options(vlm, monkeypatch, pooling="mean").encode_texts(["Snow", "A boy throws."])[0]
    packed = vlm.chat.pack([vlm.prompts.of_text("Snow")], torch.device("cpu"))
    with torch.inference_mode():
        states = vlm.model.model(**packed, use_cache=False).last_hidden_state[0]
    expected = torch.nn.functional.normalize(states.mean(0), dim=0).numpy()
    assert np.abs(mean - expected).max() < 1e-4
    assert np.abs(mean - last).max() > 0.01


def test_frames_are_averaged_after_they_are_unit_vectors(vlm, monkeypatch):
    with_options(vlm, monkeypatch, clip_as="frames")
    mean = vlm.encode_frames(CLIP).mean(axis=0)
    assert np.abs(vlm.encode_clips([CLIP])[0] - mean / np.linalg.norm(mean)).max() < 1e-5
