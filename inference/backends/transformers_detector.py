"""RT-DETR and similar object detectors through transformers: where things are in frames."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import torch
from transformers import AutoImageProcessor, AutoModelForObjectDetection

from inference.backends.hf.batches import answer_each, check_frames
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
from inference.backends.protocols import BackendError, Box, ClipFrames, Frames, ModelSettings


class PictureDetector:
    """An ObjectDetector. `threshold`: boxes of a higher score count."""

    def __init__(self, model: Any, processor: Any, threshold: float, batch_size: int) -> None:
        self.model, self.processor = model, processor
        self.threshold, self.batch_size = threshold, batch_size
        self.lock = Lock()

    def find_boxes(self, clip: ClipFrames) -> list[list[Box]]:
        answers: list[list[Box] | BackendError] = answer_each(
            list(check_frames(clip).frames),
            lambda frame: frame,
            lambda frame: frame.size,
            self._find,
            size=self.batch_size,
        )
        boxes: list[list[Box]] = []
        for answer in answers:
            if isinstance(answer, BackendError):
                raise answer
            boxes.append(answer)
        return boxes

    @torch.inference_mode()
    def _find(self, frames: Sequence[Frames]) -> list[list[Box] | BackendError]:
        inputs = self.processor(
            images=list(frames), input_data_format="channels_last", return_tensors="pt"
        ).to(self.model.device)
        sizes = [frame.shape[:2] for frame in frames]
        with self.lock:
            outputs = self.model(**inputs)
            results = self.processor.post_process_object_detection(
                outputs, threshold=self.threshold, target_sizes=sizes
            )
        return [
            _in_pixels(result["boxes"].cpu(), height, width)
            for result, (height, width) in zip(results, sizes, strict=True)
        ]


def _in_pixels(boxes: torch.Tensor, height: int, width: int) -> list[Box]:
    """Return the boxes within a frame in whole pixels, without those that have no area."""
    ends = torch.tensor([width, height, width, height])
    rounded = boxes.round().long().clamp(min=0).minimum(ends).tolist()
    return [
        (left, top, right, bottom)
        for left, top, right, bottom in rounded
        if left < right and top < bottom
    ]


def load(settings: ModelSettings) -> PictureDetector:
    """Return the model on its device, in float32, because half precision moves boxes by pixels.

    Raises BackendError if it can't be loaded. Parameters: device, threshold, batch_size.
    """
    parameters = settings.parameters
    where = place({**parameters, "dtype": "float32"})
    batch_size = whole_number(parameters, "batch_size", 8)
    with opening(settings):
        config = read_config(settings)
        model = open_weights(AutoModelForObjectDetection, settings, config, where)
        # Pillow resizes identically on every machine; torchvision differs slightly.
        processor = AutoImageProcessor.from_pretrained(
            settings.model_id, backend="pil", **origin(settings)
        )
        if not hasattr(processor, "post_process_object_detection"):
            raise BackendError(
                "unknown_family",
                f"{settings.model_id} is a {config.model_type} model whose boxes can't be read. "
                "Choose one such as RT-DETR.",
            )
        return PictureDetector(model, processor, float(parameters["threshold"]), batch_size)
