"""Settings to begin with for families of models on OpenAI-compatible servers.

The form of a new model starts with them; what an admin saves are the model's parameters, and
nothing else depends on this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# vLLM reads 32 frames of a video unless it is told to read all of them.
ALL_FRAMES = '{"media_io_kwargs": {"video": {"num_frames": -1}}}'
READS_ALL = "so that vLLM reads every frame that is sent, and not 32 of them"
LOW_EFFORT = '{"reasoning_effort": "low"}'
PICTURES_ONLY = "the endpoint takes no video, and the seconds say how far the pictures are apart"


@dataclass(frozen=True)
class ServedFamily:
    """`settings` has a value and its reason for each parameter that differs in this family."""

    name: str
    settings: Mapping[str, tuple[Any, str]]

    @property
    def values(self) -> dict[str, Any]:
        return {parameter: value for parameter, (value, _) in self.settings.items()}

    @property
    def reasons(self) -> list[tuple[str, Any, str]]:
        """Return the label of each parameter, its value and the reason."""
        return [
            (parameter.replace("_", " ").capitalize(), value, reason)
            for parameter, (value, reason) in self.settings.items()
        ]


SERVED_FAMILIES: Mapping[str, ServedFamily] = {
    "qwen2.5-vl": ServedFamily(
        "Qwen2.5-VL (vLLM)",
        {
            "clip_as": ("video", "it is trained on videos, whose frames it takes in pairs"),
            "max_frames": (64, "as LoVR’s captions have at most"),
            "longest_side": (640, "LoVR’s 230,400 pixels of a frame at most are 640 by 360"),
            "extra_body": (ALL_FRAMES, READS_ALL),
        },
    ),
    "qwen3-vl": ServedFamily(
        "Qwen3-VL (vLLM)",
        {
            "clip_as": ("timed pictures", "it is trained with the second written before each"),
            "max_frames": (64, "about 22,000 tokens at 768 by 432 pixels, which 32,768 hold"),
            "longest_side": (768, "24 of its patches of 32 pixels"),
        },
    ),
    "internvl3.5": ServedFamily(
        "InternVL3.5 (vLLM)",
        {
            "clip_as": ("video", "a frame of a video is one tile, a picture up to twelve"),
            "max_frames": (32, "it is trained on 8 to 32 frames of a video"),
            "longest_side": (448, "the side of a tile"),
            "extra_body": (ALL_FRAMES, READS_ALL),
        },
    ),
    "llava-onevision": ServedFamily(
        "LLaVA-OneVision (vLLM)",
        {
            "clip_as": ("video", "it has fewer tokens for a frame of a video than for a picture"),
            "max_frames": (32, "it is trained on at most 32 frames of a video"),
            "longest_side": (384, "the side of its vision encoder’s input"),
            "extra_body": (ALL_FRAMES, READS_ALL),
        },
    ),
    "gpt-5": ServedFamily(
        "GPT-5 (OpenAI)",
        {
            "clip_as": ("timed pictures", PICTURES_ONLY),
            "max_frames": (64, "as LoVR’s captions have at most; each picture costs tokens"),
            "longest_side": (768, "larger pictures cost more tiles of 512 pixels"),
            "left_out": ("temperature, top_p, repetition_penalty", "it refuses them"),
            "extra_body": (
                LOW_EFFORT,
                "its thinking can’t be off in every version, but low in all",
            ),
        },
    ),
    "gemini": ServedFamily(
        "Gemini (compatible endpoint)",
        {
            "clip_as": ("timed pictures", PICTURES_ONLY),
            "max_frames": (64, "as LoVR’s captions have at most; each picture costs tokens"),
            "longest_side": (768, "the side of its tile, so that a picture costs one"),
            "left_out": ("seed, repetition_penalty", "it refuses them"),
            "extra_body": (LOW_EFFORT, "Pro can’t be without thinking, but low holds for all"),
        },
    ),
    "claude": ServedFamily(
        "Claude (compatible endpoint)",
        {
            "clip_as": ("timed pictures", PICTURES_ONLY),
            "max_frames": (64, "a request takes at most 100 pictures, in some models 600"),
            "longest_side": (768, "it takes about a token for 750 pixels"),
            "left_out": (
                "top_p, repetition_penalty",
                "it takes temperature or top_p, not both, and doesn’t think unless it is asked to",
            ),
        },
    ),
}
