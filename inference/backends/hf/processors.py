"""Any model of AutoModelForImageTextToText, through its own processor and chat template.

A clip is a video where the model's video processor can be opened, which takes torchvision. Else it
is the frames as pictures, each with its time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from PIL import Image
from transformers import AutoImageProcessor, AutoProcessor, AutoTokenizer
from transformers.models.auto.processing_auto import PROCESSOR_MAPPING
from transformers.utils.import_utils import is_torchvision_available
from transformers.video_utils import VideoMetadata

from inference.backends.hf.chat import Chat, Turn, padded
from inference.backends.hf.families import FAMILIES, OTHER, around
from inference.backends.hf.opening import origin
from inference.backends.hf.pictures import Picture, PlainEye
from inference.backends.protocols import BackendError, ClipFrames, ModelSettings

# One number per token, padded as the ids are.
PER_TOKEN = {"token_type_ids", "mm_token_type_ids"}
# Places of patches, counted through the pixels of the whole batch.
PLACES = {"image_token_pooling": "pixel_values", "video_token_pooling": "pixel_values_videos"}
MILLISECONDS = 1000


class ProcessorChat(Chat):
    """`sees_videos`: the processor takes a video; else a clip is pictures with their times.
    `dtype`: of the pixels, the model's own.
    """

    def __init__(
        self, processor: Any, config: Any, eye: PlainEye, dtype: torch.dtype, *, sees_videos: bool
    ) -> None:
        super().__init__(processor.tokenizer, config)
        self.eye, self.dtype = eye, dtype
        self.processor, self.sees_videos = processor, sees_videos
        self.family = FAMILIES.get(config.model_type, OTHER)
        holders = (getattr(processor, f"{kind}_token", None) for kind in ("image", "video"))
        self.marks = list(dict.fromkeys([*self.marks, *filter(None, holders)]))

    def by_template(self, text: str, picture: Picture | None, system: str) -> str:
        roles = [{"role": "system", "content": [{"type": "text", "text": system}]}]
        content = [*self._parts(picture), {"type": "text", "text": text}]
        messages = [*(roles if system else []), {"role": "user", "content": content}]
        if self.sees_videos:
            return str(
                self.processor.apply_chat_template(
                    messages, add_generation_prompt=True, **self.options
                )
            )
        return str(
            self.tokenizer.apply_chat_template(
                messages,
                chat_template=self.processor.chat_template,
                tokenize=False,
                add_generation_prompt=True,
                **self.options,
            )
        )

    def mark(self, picture: Picture | None) -> str:
        parts = self._parts(picture)
        return "".join(
            part["text"]
            if part["type"] == "text"
            else getattr(self.processor, part["type"] + "_token")
            for part in parts
        )

    def read(self, written: str, picture: Picture | None) -> Turn:
        given: dict[str, Any] = {}
        if picture is not None and picture.is_video and self.sees_videos:
            given = {"videos": [picture.frames], "video_metadata": [_metadata(picture)],
                     "do_sample_frames": False}  # fmt: skip
        elif picture is not None:
            given = {"images": [Image.fromarray(frame) for frame in picture.frames]}
        start = self.tokenizer.bos_token
        inputs = self.processor(
            text=[written],
            return_tensors="pt",
            add_special_tokens=not (start and written.startswith(start)),
            **given,
        )
        ids = inputs.pop("input_ids")[0].tolist()
        tensors = {name: value for name, value in inputs.items() if name != "attention_mask"}
        if picture is not None and "video_second_per_grid" in tensors:  # Which else is a guess.
            steps = int(tensors["video_grid_thw"][0, 0])
            lengths = torch.full((1,), picture.seconds * len(picture.times) / steps)
            tensors["video_second_per_grid"] = lengths
        shapes = tuple(self._shape(name, tensors[name]) for name in sorted(tensors))
        return Turn(tuple(ids), picture, tensors, shapes)

    def _parts(self, picture: Picture | None) -> list[dict[str, str]]:
        if picture is None:
            return []
        if not picture.is_video:
            return [{"type": "image"}]
        if self.sees_videos:
            return [{"type": "video"}]
        parts = []
        for number, seconds in enumerate(picture.times, 1):
            before, after = around(self.family, number, seconds)
            parts += [{"type": "text", "text": before}, {"type": "image"}]
            parts += [{"type": "text", "text": after}]
        return [part for part in parts if part.get("text") != ""]

    def pack(self, turns: Sequence[Turn], device: torch.device) -> dict[str, torch.Tensor]:
        packed = padded(turns, device)
        longest = packed["input_ids"].shape[1]
        for name in turns[0].inputs:
            tensors = [turn.inputs[name] for turn in turns]
            if name in PER_TOKEN:
                tensors = [
                    torch.nn.functional.pad(tensor, (longest - tensor.shape[1], 0))
                    for tensor in tensors
                ]
            elif name in PLACES:
                tensors = _counted_through(tensors, [turn.inputs[PLACES[name]] for turn in turns])
            whole = torch.cat(tensors, self._axis(name)).to(device)
            packed[name] = whole.to(self.dtype) if name.startswith("pixel_values") else whole
        return packed

    def _axis(self, name: str) -> int:
        return -1 if self.family.is_packed and name.startswith("pixel_values") else 0

    def _shape(self, name: str, tensor: torch.Tensor) -> tuple[int, ...]:
        """Return the sizes that all requests of a batch must have in common."""
        if name in PER_TOKEN:
            return ()
        sizes = list(tensor.shape)
        del sizes[self._axis(name)]
        return tuple(sizes)


def _counted_through(places: list[torch.Tensor], pixels: list[torch.Tensor]) -> list[torch.Tensor]:
    """Return the places of patches in the batch; -1 stays. `pixels`: (crops, patches, ...) each."""
    counts = [len(crops) * crops.shape[1] for crops in pixels]
    starts = np.cumsum([0, *counts[:-1]]).tolist()
    return [torch.where(own < 0, own, own + start)
            for own, start in zip(places, starts, strict=True)]  # fmt: skip


def _metadata(picture: Picture) -> VideoMetadata:
    places = [round(seconds * MILLISECONDS) for seconds in picture.times]
    seconds = picture.seconds * len(picture.times)
    return VideoMetadata(
        total_num_frames=round(seconds * MILLISECONDS),
        fps=MILLISECONDS,
        duration=seconds,
        frames_indices=places,
    )


class PicturesOnly:
    """Mixed into a processor whose video processor can't be opened without torchvision."""

    def check_argument_for_proper_class(self, argument_name: str, argument: Any) -> Any:
        return type(argument)


def open_chat(
    model: ModelSettings, whole: Any, config: Any, max_pixels: int, dtype: torch.dtype
) -> ProcessorChat:
    """Return the model's chat after a try with two frames, which needs no weights.

    `config` is the part of `whole` that reads and writes. Raises BackendError, which names the
    model, if it can be run neither with a video nor with pictures.
    """
    sees_videos = is_torchvision_available()
    try:
        if sees_videos:
            processor = AutoProcessor.from_pretrained(model.model_id, **origin(model))
            sees_videos = hasattr(processor, "video_processor")
        else:
            processor = _pictures_only(model, whole)
        chat = ProcessorChat(
            processor, config, PlainEye(max_pixels), dtype, sees_videos=sees_videos
        )
        trial = ClipFrames(np.zeros((2, 64, 64, 3), np.uint8), (0, 25), 50, 25.0)
        chat.turn("?", chat.eye.video(trial))
    except Exception as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(". ")
        hint = "" if is_torchvision_available() else "It may need torchvision and a GPU machine. "
        raise BackendError(
            "not_runnable",
            f"{model.model_id} is a {config.model_type} model, whose processor doesn't work here: "
            f"{reason}. {hint}Serve it through openai-compatible.",
        ) from error
    return chat


def _pictures_only(model: ModelSettings, config: Any) -> Any:
    whole: Any = PROCESSOR_MAPPING[type(config)]
    family = FAMILIES.get(config.model_type, OTHER)
    pictures = AutoImageProcessor.from_pretrained(
        model.model_id, **family.pictures, **origin(model)
    )
    parts = {
        "tokenizer": AutoTokenizer.from_pretrained(model.model_id, **origin(model)),
        "image_processor": pictures,
        # Read for its sizes, never called.
        "video_processor": pictures,
    }
    settings, _ = whole.get_processor_dict(model.model_id, **origin(model))
    plain: Any = type(whole.__name__, (PicturesOnly, whole), {})
    names = whole.get_attributes()
    return plain.from_args_and_dict([parts.get(name) for name in names], settings)
