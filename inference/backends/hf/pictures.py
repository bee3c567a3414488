"""Frames as a model sees them: cut into patches for the Qwen-VL models, scaled for the others.

transformers needs torchvision for its video processor, which doesn't work with a CPU build of
torch. Tests compare this module with the library's image processor.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import (
    Qwen2VLImageProcessorPil,
    smart_resize,
)

from inference.backends.protocols import BackendError, ClipFrames, Frames

# The models' own resizing refuses a thinner picture.
MAX_SHAPE_LENGTH = 200


@dataclass(frozen=True)
class Picture:
    """One image or video as the model sees it; patches are cut only when they are needed.

    `grid`: time steps, patches down, patches across. `seconds`: length of a time step. `times`: the
    second in the clip at the middle of each time step; an image has none.
    """

    frames: Frames
    grid: tuple[int, int, int]
    seconds: float
    times: tuple[float, ...] = ()

    @property
    def is_video(self) -> bool:
        return bool(self.times)


def frame_times(clip: ClipFrames) -> list[float]:
    """Return the second of each frame, counted from the clip's start."""
    return [number / clip.fps for number in clip.numbers]


class Eye:
    """Crops and scales pictures like one model's image processor.

    `min_pixels` and `max_pixels` bound the size of a frame after it is resized to whole patches.
    """

    def __init__(
        self, processor: Qwen2VLImageProcessorPil, min_pixels: int, max_pixels: int
    ) -> None:
        if min_pixels > max_pixels:
            raise BackendError(
                "bad_parameter",
                f"min_pixels ({min_pixels}) is above max_pixels ({max_pixels}). Swap them.",
            )
        self.patch, self.merge = processor.patch_size, processor.merge_size
        self.depth = processor.temporal_patch_size
        self.resample = processor.resample
        self.scale = processor.rescale_factor
        self.mean, self.std = processor.image_mean, processor.image_std
        self.min_pixels, self.max_pixels = min_pixels, max_pixels
        # Pillow lets other threads run while it resizes, which is most of the work.
        self.hands = ThreadPoolExecutor(os.cpu_count(), "resize")

    def image(self, frame: Frames) -> Picture:
        """Return a still. `frame` has shape (height, width, 3)."""
        return self._picture(frame[None], 1, 1.0)

    def video(self, clip: ClipFrames) -> Picture:
        """Return a video; the model merges `depth` frames to a time step."""
        seen = frame_times(clip)
        times = [(seen[at] + seen[min(at + self.depth, len(seen)) - 1]) / 2
                 for at in range(0, len(seen), self.depth)]  # fmt: skip
        return self._picture(clip.frames, len(times), clip.seconds / len(times), times)

    def slow_video(self, clip: ClipFrames) -> Picture:
        """Return a video with one time step per frame: CARE repeats each frame (EncoderForCaRe)."""
        steps = len(clip.frames)
        return self._picture(clip.frames, steps, clip.seconds / steps, frame_times(clip))

    def _picture(
        self, frames: Frames, steps: int, seconds: float, times: Sequence[float] = ()
    ) -> Picture:
        height, width = frames.shape[1:3]
        if max(height, width) > MAX_SHAPE_LENGTH * min(height, width):
            raise BackendError(
                "bad_frames",
                f"The clip's frames are {width} by {height} pixels, too thin for a picture. "
                "Crop the video, and import it as a new one.",
            )
        high, wide = smart_resize(
            height, width, self.patch * self.merge, self.min_pixels, self.max_pixels
        )
        grid = (steps, high // self.patch, wide // self.patch)
        return Picture(frames, grid, seconds, tuple(times))

    def tokens(self, picture: Picture) -> int:
        steps, down, across = picture.grid
        return steps * down * across // self.merge**2

    def patches(self, picture: Picture) -> NDArray[np.uint8]:
        """Return (patches, 3 * depth * patch * patch), with `merge` by `merge` neighbors next to
        each other.
        """
        steps, down, across = picture.grid
        size = (across * self.patch, down * self.patch)
        drawn = np.stack(
            list(self.hands.map(lambda frame: self._resize(frame, size), picture.frames))
        )
        if len(drawn) == steps:
            drawn = drawn.repeat(self.depth, axis=0)
        elif missing := steps * self.depth - len(drawn):
            drawn = np.concatenate([drawn, drawn[-1:].repeat(missing, axis=0)])
        m, p = self.merge, self.patch
        cells = drawn.reshape(steps, self.depth, down // m, m, p, across // m, m, p, 3)
        ordered = cells.transpose(0, 2, 5, 3, 6, 8, 1, 4, 7)
        return ordered.reshape(steps * down * across, -1)

    def _resize(self, frame: Frames, size: tuple[int, int]) -> Frames:
        return np.asarray(Image.fromarray(frame).resize(size, self.resample))

    def normalize(self, patches: torch.Tensor) -> torch.Tensor:
        """Return uint8 patches normalized as in the model's training, on the same device."""
        mean = torch.tensor(self.mean, device=patches.device)[:, None]
        std = torch.tensor(self.std, device=patches.device)[:, None]
        colors = patches.view(len(patches), 3, -1).float() * self.scale
        return ((colors - mean) / std).view(len(patches), -1)


class PlainEye:
    """Hands on frames for a processor to cut, scaled down to at most `max_pixels`."""

    def __init__(self, max_pixels: int) -> None:
        self.max_pixels = max_pixels

    def image(self, frame: Frames) -> Picture:
        return Picture(self._scaled(frame[None]), (1, 0, 0), 1.0)

    def video(self, clip: ClipFrames) -> Picture:
        steps = len(clip.frames)
        frames = self._scaled(clip.frames)
        return Picture(frames, (steps, 0, 0), clip.seconds / steps, tuple(frame_times(clip)))

    slow_video = video

    def _scaled(self, frames: Frames) -> Frames:
        height, width = frames.shape[1:3]
        share = (self.max_pixels / (height * width)) ** 0.5
        if share >= 1:
            return frames
        size = (max(1, int(width * share)), max(1, int(height * share)))
        return np.stack([np.asarray(Image.fromarray(frame).resize(size)) for frame in frames])
