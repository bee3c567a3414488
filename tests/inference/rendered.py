"""Clips whose facts are known, rendered to H.264 as an import would and read back."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from inference.backends.protocols import ClipFrames
from inference.frames import read_clip
from inference.sampling import Sampling

FPS, WIDTH, HEIGHT = 25, 320, 180
SIZE = 48  # of the square that moves, in pixels
Picture = NDArray[np.uint8]
RED, GREEN, BLUE, YELLOW = (205, 25, 30), (30, 140, 50), (30, 50, 190), (240, 220, 40)
WHITE, GREY, BLACK = (245, 245, 245), (128, 128, 128), (8, 8, 8)


def flat(color: tuple[int, int, int], width: int = WIDTH, height: int = HEIGHT) -> Picture:
    return np.full((height, width, 3), color, np.uint8)


@cache
def texture(seed: int, width: int = WIDTH, height: int = HEIGHT, *, spread: int = 60) -> Picture:
    """Soft colored blotches around mid grey, the same for the same seed."""
    random = np.random.default_rng(seed)
    picture = np.full((height, width, 3), 128.0)
    for cell, weight in ((32, 0.6), (8, 0.4)):
        coarse = random.uniform(-1, 1, (height // cell + 2, width // cell + 2, 3))
        picture += weight * spread * enlarge(coarse, cell)[:height, :width]
    drawn = picture.clip(0, 255).astype(np.uint8)
    drawn.flags.writeable = False
    return drawn


def enlarge(coarse: NDArray[np.float64], factor: int) -> NDArray[np.float64]:
    """Linear interpolation, one axis after the other."""
    for axis in (0, 1):
        places = np.arange((coarse.shape[axis] - 1) * factor) / factor
        low = places.astype(int)
        share = (places - low).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        coarse = np.take(coarse, low, axis) * (1 - share) + np.take(coarse, low + 1, axis) * share
    return coarse


def with_square(
    picture: Picture, left: float, top: float, color: tuple[int, int, int] = YELLOW
) -> Picture:
    drawn = picture.copy()
    x, y = round(left), round(top)
    drawn[max(y, 0) : max(y + SIZE, 0), max(x, 0) : max(x + SIZE, 0)] = color
    return drawn


def write(path: Path, draw: Callable[[int], Picture], frames: int) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS)
        height, width, _ = draw(0).shape
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.options = {"preset": "ultrafast", "crf": "20", "g": str(FPS), "threads": "1"}
        for number in range(frames):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(draw(number), format="rgb24")))
        container.mux(stream.encode())
    return path


def render(
    folder: Path, sampling: Sampling, draw: Callable[[int], Picture], frames: int = 2 * FPS
) -> ClipFrames:
    """The clip whose frame n is draw(n), encoded, and decoded again at `sampling`."""
    path = write(folder / "clip.mp4", draw, frames)
    return read_clip(path, 0, frames, Fraction(FPS), sampling)
