"""Colors, light, contrast and sharpness of pictures. Every figure is a mean over the pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from inference.backends.protocols import Frames

Plane = NDArray[np.float32]

# A pixel gets the name of the nearest color in CIELAB, with lightness weighted by LIGHT_WEIGHT.
PALETTE: dict[str, tuple[int, int, int]] = {
    "black": (10, 10, 10),
    "dark gray": (64, 64, 64),
    "gray": (128, 128, 128),
    "light gray": (192, 192, 192),
    "white": (248, 248, 248),
    "red": (215, 30, 35),
    "dark red": (105, 15, 20),
    "pink": (240, 150, 180),
    "orange": (240, 130, 30),
    "brown": (110, 70, 40),
    "beige": (215, 190, 155),
    "yellow": (240, 220, 50),
    "olive": (115, 115, 45),
    "green": (45, 155, 60),
    "dark green": (20, 70, 35),
    "light green": (155, 215, 140),
    "yellow green": (150, 175, 45),
    "turquoise": (50, 185, 180),
    "blue": (35, 75, 200),
    "dark blue": (20, 30, 90),
    "light blue": (140, 190, 235),
    "purple": (120, 45, 150),
}
LIGHT_WEIGHT = 0.7
LEVELS = 32  # levels per channel in the table of names
COLORLESS = 6.0  # chroma below which all but COLORED of a black and white picture stays
COLORED = 0.01
PARTS = ("top", "bottom", "left", "right")
EDGE = 3.0  # gray levels of mean change beside a pixel, below which sharpness is unknown
BLUR_KERNEL = 9  # pixels, as in Crete et al.


@dataclass(frozen=True)
class Look:
    """The appearance of pictures. `shares` sum to 1, largest first, then in the palette's order.

    `light`: mean L* from 0 (black) to 100 (white). `contrast`: standard deviation of L* in a
    picture. `chroma`: mean distance from gray in CIELAB. `colorless`: no picture has color.
    `parts`: the most common color of the top, bottom, left and right third, and its share there.
    `blur`: 0 (sharp) to 1; None without edges.
    """

    shares: tuple[tuple[str, float], ...]
    light: float
    contrast: float
    chroma: float
    colorless: bool
    parts: dict[str, tuple[str, float]]
    blur: float | None


def look_at(frames: Frames) -> Look:
    """Measure frames, RGB of shape (n, height, width, 3), n >= 1."""
    labs = [lab(frame) for frame in frames]
    color_names = np.stack([name_pixels(frame) for frame in frames])
    counts = np.bincount(color_names.ravel(), minlength=len(PALETTE)) / color_names.size
    order = sorted(range(len(PALETTE)), key=lambda index: (-counts[index], index))
    chroma = [np.hypot(each[..., 1], each[..., 2]) for each in labs]
    blurs = [blur for blur in map(measure_blur, labs) if blur is not None]
    return Look(
        shares=tuple((list(PALETTE)[index], float(counts[index])) for index in order),
        light=float(np.mean([each[..., 0].mean() for each in labs])),
        contrast=float(np.mean([each[..., 0].std() for each in labs])),
        chroma=float(np.mean([each.mean() for each in chroma])),
        colorless=all((each >= COLORLESS).mean() <= COLORED for each in chroma),
        parts={part: _commonest(_cut(color_names, part)) for part in PARTS},
        blur=float(np.mean(blurs)) if len(blurs) * 2 > len(labs) else None,
    )


def lab(frame: Frames) -> Plane:
    """Convert an RGB picture to CIELAB: L* 0..100, a* and b* about -127..127."""
    scaled = frame.astype(np.float32) / np.float32(255)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_RGB2Lab), np.float32)


def name_pixels(frame: Frames) -> NDArray[np.uint8]:
    """Return the index in PALETTE of each pixel's color."""
    step = 256 // LEVELS
    red, green, blue = (frame[..., channel] // step for channel in range(3))
    return np.asarray(_names()[red, green, blue], np.uint8)


@cache
def _names() -> NDArray[np.uint8]:
    """Return the palette's index of every color, shape (LEVELS, LEVELS, LEVELS)."""
    step = 256 // LEVELS
    levels = np.arange(LEVELS, dtype=np.uint8) * step + step // 2
    grid = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1)
    weights = np.array([LIGHT_WEIGHT, 1, 1], np.float32)
    colors = lab(grid.reshape(1, -1, 3))[0] * weights
    palette = lab(np.array([list(PALETTE.values())], np.uint8))[0] * weights
    distances = ((colors[:, None] - palette[None]) ** 2).sum(axis=2)
    nearest = distances.argmin(axis=1).reshape(LEVELS, LEVELS, LEVELS)
    return np.asarray(nearest, np.uint8)


def _cut(named: NDArray[np.uint8], part: str) -> NDArray[np.uint8]:
    _, height, width = named.shape
    rows, columns = max(1, height // 3), max(1, width // 3)
    match part:
        case "top":
            return named[:, :rows]
        case "bottom":
            return named[:, -rows:]
        case "left":
            return named[:, :, :columns]
    return named[:, :, -columns:]


def _commonest(named: NDArray[np.uint8]) -> tuple[str, float]:
    counts = np.bincount(named.ravel(), minlength=len(PALETTE))
    index = int(counts.argmax())
    return list(PALETTE)[index], float(counts[index] / named.size)


def measure_blur(picture: Plane) -> float | None:
    """Return how little a further blur changes the picture's edges: 0 sharp, 1 blurred.

    Crete, Dolmiere, Ladret, Nicolas: The blur effect (SPIE 2007), on L*; the worse of the two
    directions. None if neither direction has an edge.
    """
    light = np.ascontiguousarray(picture[..., 0]) * np.float32(2.55)
    values = []
    for axis, kernel in ((0, (1, BLUR_KERNEL)), (1, (BLUR_KERNEL, 1))):
        change = np.abs(np.diff(light, axis=axis))
        # Blurring again shows nothing where the picture doesn't vary.
        edges = change > EDGE
        if edges.sum() <= 0.002 * edges.size:
            continue
        after = np.abs(np.diff(cv2.blur(light, kernel), axis=axis))
        lost = np.maximum(0, change - after)[edges].sum()
        values.append(1 - float(lost / change[edges].sum()))
    return max(values, default=None)
