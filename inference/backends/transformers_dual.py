"""CLIP, SigLIP, X-CLIP, VideoPrism and similar models through transformers: pictures or videos, and
texts, in one space.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import torch
from transformers import AutoImageProcessor, AutoModel, AutoTokenizer
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

from inference.backends.hf.batches import (
    answer_each,
    check_frames,
    mean_of_parts,
    stacked,
    units,
)
from inference.backends.hf.blip2 import ARCHITECTURE, Blip2Pair
from inference.backends.hf.opening import device_name as device_name
from inference.backends.hf.opening import (
    open_weights,
    opening,
    origin,
    place,
    read_config,
    whole_number,
)
from inference.backends.hf.opening import weights_files as weights_files
from inference.backends.long_texts import WINDOWS
from inference.backends.protocols import (
    BackendError,
    ClipFrames,
    Frames,
    ModelSettings,
    Vectors,
)

# Pictures per clip in a batch: the model gets `batch_size` times as many at once.
PICTURES_A_CLIP = 8
# Pictures that one thread resizes at a time.
PIECE = 8
Request = TypeVar("Request")


class PairedEncoder:
    """A DualEncoder. A clip's vector is the normalized mean of its frames' unit vectors (LoVR
    CLIP_test.py).

    `text_limit`: texts are cut after this many tokens, including start and end (CLIP 77, SigLIP
    64). With `has_windows`, a longer text is read in windows of this length instead, and its vector
    is the normalized mean of theirs.
    """

    has_windows = False

    def __init__(self, model: Any, tokenizer: Any, processor: Any, batch_size: int) -> None:
        self.model, self.tokenizer, self.processor = model, tokenizer, processor
        self.batch_size = batch_size
        text = getattr(model, "text_config", model.config.text_config)
        self.text_limit = min(text.max_position_embeddings, tokenizer.model_max_length)
        self.dimension = 0  # until `check` has tried it
        # SigLIP was trained on texts padded to its limit, without a mask; VideoPrism with one.
        self.has_mask = not model.config.model_type.startswith("siglip")
        self.is_padded = not self.has_mask or model.config.model_type == "videoprism"
        # Pillow lets other threads run while it resizes, which is most of the preparation.
        self.hands = ThreadPoolExecutor(os.cpu_count(), "resize")
        self.lock = Lock()

    def encode_frames(self, clip: ClipFrames) -> Vectors:
        return stacked(self._encode_pictures(list(check_frames(clip).frames)))

    def encode_clips(self, clips: Sequence[ClipFrames]) -> list[Vectors | BackendError]:
        """Encode clips; the frames of all clips go to the model together."""
        return mean_of_parts(
            clips, lambda clip: list(check_frames(clip).frames), self._encode_pictures
        )

    def encode_texts(self, texts: Sequence[str]) -> list[Vectors | BackendError]:
        if self.has_windows:
            return mean_of_parts(texts, self._windows, partial(self._encode, lambda ids: ids))
        return self._encode(self._cut, texts)

    def _encode(
        self, ids_of: Callable[[Request], list[int]], texts: Sequence[Request]
    ) -> list[Vectors | BackendError]:
        return answer_each(
            texts, ids_of, lambda ids: len(ids), self._text_vectors, size=self.batch_size
        )

    @torch.inference_mode()
    def encode_tokens(self, text: str) -> Vectors:
        """Return a unit vector per token, including start and end, for EVQAScore v1: (t,
        dimension), t at most `text_limit`.

        Raises BackendError for a model that projects whole texts only (SigLIP).
        """
        projection = getattr(self.model, "text_projection", None)
        if projection is None:
            raise BackendError(
                "no_token_vectors",
                "This encoder has no vectors for single tokens. Choose EVQAScore v3, or a CLIP.",
            )
        ids = torch.tensor([self._cut(text)], device=self.model.device)
        with self.lock:
            hidden = self.model.text_model(input_ids=ids).last_hidden_state
            return stacked(units(projection(hidden)[0]))

    def _cut(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, truncation=True, max_length=self.text_limit)[
            "input_ids"
        ]
        return ids

    def _windows(self, text: str) -> list[list[int]]:
        """Return the text in windows, each with the marks of start and end."""
        own = self.tokenizer
        if own.is_fast:
            windows: list[list[int]] = own(
                text, truncation=True, max_length=self.text_limit, return_overflowing_tokens=True
            )["input_ids"]
            return windows
        # A tokenizer in Python, such as SigLIP's, gives no windows.
        ids = own(text, add_special_tokens=False)["input_ids"]
        room = self.text_limit - own.num_special_tokens_to_add()
        starts = range(0, max(len(ids), 1), room)
        return [own.build_inputs_with_special_tokens(ids[n : n + room]) for n in starts]

    @torch.inference_mode()
    def _text_vectors(self, batch: list[list[int]]) -> list[Vectors | BackendError]:
        padded = self.tokenizer.pad(
            {"input_ids": batch},
            padding="max_length" if self.is_padded else "longest",
            max_length=self.text_limit,
            return_tensors="pt",
            return_attention_mask=self.has_mask,
        ).to(self.model.device)
        with self.lock:
            return units(_pooled(self.model.get_text_features(**padded)))

    def _encode_pictures(self, pictures: list[Frames]) -> list[Vectors | BackendError]:
        return answer_each(
            pictures,
            lambda picture: picture,
            lambda picture: picture.size,
            self._picture_vectors,
            size=self.batch_size * PICTURES_A_CLIP,
        )

    @torch.inference_mode()
    def _picture_vectors(self, pictures: list[Frames]) -> list[Vectors | BackendError]:
        pieces = [pictures[n : n + PIECE] for n in range(0, len(pictures), PIECE)]
        drawn = list(self.hands.map(self._draw, pieces))
        seen = {name: torch.cat([piece[name] for piece in drawn]) for name in drawn[0]}
        with self.lock:
            return units(_pooled(self.model.get_image_features(**seen)))

    def _draw(self, pictures: list[Frames]) -> Any:
        return self.processor(
            images=pictures, input_data_format="channels_last", return_tensors="pt"
        ).to(self.model.device, self.model.dtype)


def _pooled(features: Any) -> torch.Tensor:
    """Return the projected features, which transformers 5 puts into an object's pooled output;
    VideoPrism's have a dimension of 1 more.
    """
    pooled: torch.Tensor = (
        features if isinstance(features, torch.Tensor) else features.pooler_output
    )
    return pooled.squeeze(1) if pooled.ndim == 3 and pooled.shape[1] == 1 else pooled


class PairedVideoEncoder(PairedEncoder):
    """A DualEncoder that reads a clip as one video of as many frames as the model was trained on,
    evenly spread over those given, or repeated. A frame is a video of itself, repeated.
    """

    def __init__(self, model: Any, tokenizer: Any, processor: Any, batch_size: int) -> None:
        super().__init__(model, tokenizer, processor, batch_size)
        self.n_frames: int = model.config.vision_config.num_frames
        # X-CLIP: pixel_values; VideoPrism: pixel_values_videos.
        self.argument = next(iter(inspect.signature(model.get_video_features).parameters))

    def encode_frames(self, clip: ClipFrames) -> Vectors:
        frames = list(check_frames(clip).frames)
        return stacked(self._encode_videos(frames, lambda frame: frame[None]))

    def encode_clips(self, clips: Sequence[ClipFrames]) -> list[Vectors | BackendError]:
        return self._encode_videos(clips, lambda clip: check_frames(clip).frames)

    def _encode_videos(
        self, requests: Sequence[Request], frames_of: Callable[[Request], Frames]
    ) -> list[Vectors | BackendError]:
        return answer_each(
            requests,
            lambda request: self._spread(frames_of(request)),
            lambda frames: frames.size,
            self._video_vectors,
            size=self.batch_size,
        )

    def _spread(self, frames: Frames) -> Frames:
        places = np.linspace(0, len(frames) - 1, self.n_frames).round().astype(int)
        return np.take(frames, places, axis=0)

    @torch.inference_mode()
    def _video_vectors(self, videos: list[Frames]) -> list[Vectors | BackendError]:
        drawn = list(self.hands.map(lambda video: self._draw(list(video)), videos))
        seen = torch.stack([video["pixel_values"] for video in drawn])
        with self.lock:
            return units(_pooled(self.model.get_video_features(**{self.argument: seen})))


def check(encoder: PairedEncoder, model_id: str, family: str) -> PairedEncoder:
    """Return the encoder after it has embedded a clip and a text. Raises BackendError if it has no
    single vector for each, of one length.
    """
    gray = ClipFrames(np.full((1, 64, 64, 3), 128, np.uint8), (0,), 1, 25.0)
    tried = {
        "clips": encoder.encode_clips([gray])[0],
        "texts": encoder.encode_texts(["A clip."])[0],
    }
    for what, vector in tried.items():
        if isinstance(vector, BackendError) and vector.code == "out_of_memory":
            raise vector
        if isinstance(vector, BackendError) or vector.ndim != 1:
            why = str(vector) if isinstance(vector, BackendError) else "it gives several."
            raise BackendError(
                "unknown_family",
                f"{model_id} is a {family} model, whose class in transformers gives no vector of "
                f"{what}: {why.rstrip('.')}. Choose a model such as CLIP, SigLIP or X-CLIP.",
            )
    clip, text = (len(vector) for vector in tried.values() if not isinstance(vector, BackendError))
    if clip != text:
        raise BackendError(
            "unknown_family",
            f"{model_id} is a {family} model, whose vectors of clips have {clip} numbers and those "
            f"of texts {text}, so they can't be compared. Choose a model such as CLIP or SigLIP.",
        )
    encoder.dimension = text
    return encoder


def _open_processor(settings: ModelSettings, config: Any) -> Any:
    if config.model_type == "videoprism":
        # Its own processor needs torchvision. As in VideoPrismProcessor: resized, not normalized.
        size = config.vision_config.image_size
        height, width = (size, size) if isinstance(size, int) else size
        return CLIPImageProcessorPil(
            size={"height": height, "width": width}, do_center_crop=False, do_normalize=False
        )
    # Pillow resizes identically on every machine; torchvision differs slightly.
    return AutoImageProcessor.from_pretrained(settings.model_id, backend="pil", **origin(settings))


def load(settings: ModelSettings) -> PairedEncoder:
    """Return the model on its device; raises BackendError if it can't be loaded.

    Parameters: device, dtype, attention ("auto" or unset: chosen by transformers), batch_size,
    long_texts.
    """
    where = place(settings.parameters)
    batch_size = whole_number(settings.parameters, "batch_size", 8)
    with opening(settings):
        config = read_config(settings)
        model_id = settings.model_id
        is_blip2 = ARCHITECTURE in (config.architectures or ())
        model = (
            Blip2Pair(settings, config, where)
            if is_blip2
            else open_weights(AutoModel, settings, config, where)
        )
        sees = hasattr(model, "get_image_features") or hasattr(model, "get_video_features")
        if not (sees and hasattr(model, "get_text_features")):
            raise BackendError(
                "unknown_family",
                f"{model_id} is a {config.model_type} model, which has no vectors for both "
                "pictures and texts. Choose one such as CLIP or SigLIP.",
            )
        tokenizer = AutoTokenizer.from_pretrained(model_id, **origin(settings))
        is_video = hasattr(model, "get_video_features")
        encoder = (PairedVideoEncoder if is_video else PairedEncoder)(
            model, tokenizer, _open_processor(settings, config), batch_size
        )
        encoder.has_windows = settings.parameters.get("long_texts") == WINDOWS
        return check(encoder, model_id, config.model_type)
