"""Motion between two frames: of the whole picture, and of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from inference.backends.protocols import Frames
from inference.sampling import middle

Plane = NDArray[np.float32]

STEP = 0.1  # seconds between two frames, if there are such frames
MAX_STEP_LENGTH = 0.15  # seconds, beyond which optical flow is guesswork
MIN_SIDE = 48  # pixels: DISOpticalFlow crashes the process on a strip of 31 x 256 (OpenCV 5.0)
CHANGED = 12.0  # gray levels of 255, above coding noise
CELL = 8  # pixels: side of the squares that give one vector each
TEXTURED = 4.0  # gray levels of mean slope that make a cell's vector reliable
MINIMUM = 32  # vectors needed for a statement about the whole picture
BLOCKS = 8  # rows and columns of blocks, to check that vectors come from the whole picture
# The share of all blocks, and of those at the edge, that need agreeing vectors: a large thing that
# moves in the middle doesn't reach the edge.
COVERED = 0.4
AGREED = 0.6  # share of all vectors
NEAR = 0.6  # pixels within which vectors agree


@dataclass(frozen=True)
class Step:
    """Between two frames, in picture widths per second, x to the right and y down.

    `picture`: how the whole picture moves, None where its parts move differently. `zoom`: its
    growth per second, 0.1 for a tenth. `changed`: share of pixels that change beyond `picture`.
    `thirds`: how that share is spread over the left, middle and right third. `object`: how what
    changes moves relative to the picture, None where nothing does.
    """

    seconds: float
    picture: tuple[float, float] | None
    zoom: float
    changed: float
    thirds: tuple[float, float, float]
    object: tuple[float, float] | None


def measure_steps(frames: Frames, times: Sequence[float], most: int) -> list[Step]:
    """Measure up to `most` evenly spread steps between close frames; none if all are too far apart
    or a side is below MIN_SIDE.

    `frames`: RGB, shape (n, height, width, 3). `times`: seconds, never falling.
    """
    if min(frames.shape[1:3]) < MIN_SIDE:
        return []
    couples = [couple for first in range(len(times)) if (couple := _couple(times, first))]
    chosen = sorted(set(middle(len(couples), most))) if couples else []
    flow = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_FAST)
    steps = []
    for first, second in (couples[place] for place in chosen):
        before, after = (
            cv2.cvtColor(frames[index], cv2.COLOR_RGB2GRAY) for index in (first, second)
        )
        vectors: Plane = flow.calc(before, after, None)  # type: ignore[call-overload]  # makes it
        steps.append(_measure(before, after, vectors, times[second] - times[first]))
    return steps


def _couple(times: Sequence[float], first: int) -> tuple[int, int] | None:
    """Return `first` and the last frame within STEP, else the next one within MAX_STEP_LENGTH."""
    second = None
    for later in range(first + 1, len(times)):
        apart = times[later] - times[first]
        # Times are sums of floats: 0.1 s can be slightly more.
        if apart > (STEP if second else MAX_STEP_LENGTH) + 1e-6:
            break
        second = later if apart > 0 else None
    return (first, second) if second else None


def _measure(
    before: NDArray[np.uint8], after: NDArray[np.uint8], vectors: Plane, seconds: float
) -> Step:
    height, width = before.shape
    per_second = 1 / (width * seconds)
    first, second = (
        np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.0), np.float32) for grey in (before, after)
    )
    slope = _slope(first)
    fit = _fit_picture(slope, vectors)
    changed = _changed(first if fit is None else _warp(first, fit), second)
    way = _object(changed & (slope > TEXTURED), slope, vectors, fit)
    object_ = (way[0] * per_second, way[1] * per_second) if way else None
    picture, zoom = None, 0.0
    if fit is not None:
        center = fit @ np.array([width / 2, height / 2, 1]) - np.array([width / 2, height / 2])
        picture = (float(center[0]) * per_second, float(center[1]) * per_second)
        zoom = (float(np.hypot(fit[0, 0], fit[1, 0])) - 1) / seconds
    return Step(seconds, picture, zoom, float(changed.mean()), _thirds(changed), object_)


def _slope(grey: Plane) -> Plane:
    x, y = (cv2.Sobel(grey, cv2.CV_32F, dx, 1 - dx, scale=1 / 4) for dx in (1, 0))
    # The last digit of cv2.magnitude depends on where in memory its arrays are.
    return np.asarray(np.sqrt(x * x + y * y), np.float32)


def _fit_picture(slope: Plane, vectors: Plane) -> NDArray[np.float64] | None:
    """Return the shift, rotation and zoom (2 x 3) that vectors from the whole picture agree on."""
    height, width = slope.shape
    rows, columns = height // CELL, width // CELL
    cells = slope[: rows * CELL, : columns * CELL].reshape(rows, CELL, columns, CELL)
    flat = cells.swapaxes(1, 2).reshape(rows, columns, CELL * CELL)
    best = flat.argmax(axis=2)
    row, column = np.nonzero(np.take_along_axis(flat, best[..., None], axis=2)[..., 0] > TEXTURED)
    y = row * CELL + best[row, column] // CELL
    x = column * CELL + best[row, column] % CELL
    begin = np.stack([x, y], axis=1).astype(np.float32)
    if len(begin) < MINIMUM:
        return None
    end = begin + vectors[y, x]
    fit, agreeing = cv2.estimateAffinePartial2D(begin, end, ransacReprojThreshold=NEAR)
    if fit is None:
        return None
    agrees = agreeing.ravel().astype(bool)
    held = np.zeros((BLOCKS, BLOCKS), bool)
    held[y[agrees] * BLOCKS // height, x[agrees] * BLOCKS // width] = True
    rim = np.ones_like(held)
    rim[1:-1, 1:-1] = False
    whole = min(agrees.mean() / AGREED, held.mean() / COVERED, held[rim].mean() / COVERED) >= 1
    return np.asarray(fit, np.float64) if whole else None


def _warp(grey: Plane, fit: NDArray[np.float64]) -> Plane:
    """Return the warped picture, with NaN where pixels come from outside."""
    height, width = grey.shape
    return np.asarray(
        cv2.warpAffine(
            grey, fit, (width, height), borderMode=cv2.BORDER_CONSTANT, borderValue=float("nan")
        ),
        np.float32,
    )


def _changed(before: Plane, after: Plane) -> NDArray[np.bool_]:
    """Return the pixels that change more than the picture's overall brightness."""
    difference = after - before
    is_known: NDArray[np.bool_] = ~np.isnan(difference)
    if not is_known.any():
        return is_known
    # Unknown pixels (NaN) count as unchanged.
    return np.asarray(np.abs(difference - np.median(difference[is_known])) > CHANGED)


def _object(
    is_seen: NDArray[np.bool_], slope: Plane, vectors: Plane, fit: NDArray[np.float64] | None
) -> tuple[float, float] | None:
    """Return the motion of changing pixels relative to the picture, in pixels."""
    y, x = np.nonzero(is_seen)
    if not len(y):
        return None
    places = np.stack([x, y], axis=1)
    own = vectors[y, x] - (places @ fit[:, :2].T + fit[:, 2] - places if fit is not None else 0)
    weights = slope[y, x]
    way = (own * weights[:, None]).sum(axis=0) / weights.sum()
    return float(way[0]), float(way[1])


def _thirds(changed: NDArray[np.bool_]) -> tuple[float, float, float]:
    counts = [float(part.sum()) for part in np.array_split(changed, 3, axis=1)]
    total = sum(counts) or 1.0
    return counts[0] / total, counts[1] / total, counts[2] / total
