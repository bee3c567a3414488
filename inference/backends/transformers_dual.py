"""CLIP, SigLIP and similar models through transformers: pictures and texts in one space."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import torch
from transformers import AutoImageProcessor, AutoModel, AutoTokenizer

from inference.backends.hf.batches import (
    answer_each,
    as_backend_error,
    check_frames,
    stacked,
    unit,
    units,
)
from inference.backends.hf.opening import device_name as device_name
from inference.backends.hf.opening import (
    open_weights,
    opening,
    origin,
    place,
    read_config,
    whole_number,
)
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


class PairedEncoder:
    """A DualEncoder. A clip's vector is the normalized mean of its frames' unit vectors (LoVR
    CLIP_test.py).

    `text_limit`: texts are cut after this many tokens, including start and end (CLIP 77, SigLIP
    64).
    """

    def __init__(self, model: Any, tokenizer: Any, processor: Any, batch_size: int) -> None:
        self.model, self.tokenizer, self.processor = model, tokenizer, processor
        self.batch_size = batch_size
        text = model.config.text_config
        self.text_limit = min(text.max_position_embeddings, tokenizer.model_max_length)
        self.dimension: int = getattr(model.config, "projection_dim", None) or getattr(
            text, "projection_size", text.hidden_size
        )
        self.is_siglip = model.config.model_type.startswith("siglip")
        # Pillow lets other threads run while it resizes, which is most of the preparation.
        self.hands = ThreadPoolExecutor(os.cpu_count(), "resize")
        self.lock = Lock()

    def encode_frames(self, clip: ClipFrames) -> Vectors:
        return stacked(self._encode_pictures(list(check_frames(clip).frames)))

    def encode_clips(self, clips: Sequence[ClipFrames]) -> list[Vectors | BackendError]:
        """Encode clips; the frames of all clips go to the model together."""
        pictures: list[Frames] = []
        spans: list[slice | BackendError] = []
        for clip in clips:
            try:
                start = len(pictures)
                pictures.extend(check_frames(clip).frames)
                spans.append(slice(start, len(pictures)))
            except BackendError as error:
                spans.append(as_backend_error(error))
        vectors = self._encode_pictures(pictures)
        return [span if isinstance(span, BackendError) else _mean(vectors[span]) for span in spans]

    def encode_texts(self, texts: Sequence[str]) -> list[Vectors | BackendError]:
        return answer_each(
            texts, self._cut, lambda ids: len(ids), self._text_vectors, size=self.batch_size
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

    @torch.inference_mode()
    def _text_vectors(self, batch: list[list[int]]) -> list[Vectors | BackendError]:
        padded = self.tokenizer.pad(
            {"input_ids": batch},
            padding="max_length" if self.is_siglip else "longest",
            max_length=self.text_limit,
            return_tensors="pt",
            # SigLIP was trained on texts padded to its limit, without a mask.
            return_attention_mask=not self.is_siglip,
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
    """Return the projected features, which transformers 5 puts into an object's pooled output."""
    return features if isinstance(features, torch.Tensor) else features.pooler_output


def _mean(vectors: Sequence[Vectors | BackendError]) -> Vectors | BackendError:
    try:
        return unit(stacked(vectors).mean(axis=0))
    except BackendError as error:
        return as_backend_error(error)


def load(settings: ModelSettings) -> PairedEncoder:
    """Return the model on its device; raises BackendError if it can't be loaded.

    Parameters: device, dtype, attention ("auto" or unset: chosen by transformers), batch_size.
    """
    where = place(settings.parameters)
    batch_size = whole_number(settings.parameters, "batch_size", 8)
    with opening(settings):
        config = read_config(settings)
        model_id = settings.model_id
        model = open_weights(AutoModel, settings, config, where)
        if not (hasattr(model, "get_image_features") and hasattr(model, "get_text_features")):
            raise BackendError(
                "unknown_family",
                f"{model_id} is a {config.model_type} model, which has no vectors for both "
                "pictures and texts. Choose one such as CLIP or SigLIP.",
            )
        tokenizer = AutoTokenizer.from_pretrained(model_id, **origin(settings))
        # Pillow resizes identically on every machine; torchvision differs slightly.
        processor = AutoImageProcessor.from_pretrained(model_id, backend="pil", **origin(settings))
        return PairedEncoder(model, tokenizer, processor, batch_size)
