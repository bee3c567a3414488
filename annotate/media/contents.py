"""Measure how much each frame differs from the one before it, as PySceneDetect does, and by its
pixels (LoVR, Figure 3).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Self, cast

import cv2
import numpy as np
from av import VideoFrame

from annotate.media.drawing import Picture, convert, convert_to_bgr, plane_rows

# Frames per task, because passing a frame to a thread costs as much as comparing a small one.
BATCH = 8
MAX_WORKERS = 4


class PixelValue(NamedTuple):
    """How much a frame's pixels differ from the previous frame, 0 to 255 over the three color
    channels: the mean of the absolute differences, and the difference of the means.
    """

    absolute: float
    of_means: float


class _Drawn(NamedTuple):
    """A frame in HSV and, if its pixels are compared, in BGR with their mean."""

    hsv: Picture
    pixels: Picture | None = None
    mean: float = 0.0


class ContentValues:
    """Compares each frame with the one before it.

    Give it the frames in order, then call `finish`. A value is the mean of the differences in hue,
    saturation and brightness, 0 to 255; that of the first frame is 0. FFmpeg's threads decode the
    next frames at the same time.
    """

    def __init__(self, draw: Callable[[VideoFrame], Picture], *, with_pixels: bool = False) -> None:
        self._draw = partial(_draw, draw=draw, with_pixels=with_pixels)
        self._last: _Drawn | None = None
        self._values: list[float] = []
        # One per frame, if `with_pixels`; 0 for the first.
        self.pixel_values: list[PixelValue] = []

    def __enter__(self) -> Self:
        # OpenCV's threads would only wait, because FFmpeg's threads and ours use all processors.
        self._cv_threads = cv2.getNumThreads()
        cv2.setNumThreads(1)
        return self

    def __exit__(self, *raised: object) -> None:
        cv2.setNumThreads(self._cv_threads)

    def add(self, frame: VideoFrame) -> None:
        """Take the next frame."""
        self._follow(self._draw(frame))

    def finish(self) -> list[float]:
        """Return the value of each frame."""
        return self._values

    def _follow(self, drawn: _Drawn) -> None:
        self._values.append(0.0 if self._last is None else _difference(self._last.hsv, drawn.hsv))
        if drawn.pixels is not None:
            self.pixel_values.append(_compare_pixels(self._last, drawn))
        self._last = drawn


class StackedContentValues(ContentValues):
    """Compares small pictures of 4:2:0 frames, about `width` wide.

    They have the middle pixel of each square. Brightness and color are scaled before they are
    converted, which is cheaper than `draw_reduced`. One tall picture has BATCH of them, because the
    call costs more than converting a small picture.
    """

    def __init__(self, width: int) -> None:
        super().__init__(draw=convert_to_bgr)
        self._width = width
        self._stack: VideoFrame | None = None
        self._targets: list[list[Picture]] = []
        self._count = self._step = 0

    def add(self, frame: VideoFrame) -> None:
        """Take the next frame, as large as the first one."""
        if self._stack is None:
            self._stack = self._begin(frame)
        step = self._step
        for plane, targets in zip(frame.planes, self._targets, strict=True):
            small = targets[self._count]
            height, width = small.shape
            squares = plane_rows(plane)[: height * step, : width * step]
            if step % 2 == 1:  # The same result, but reads only the needed rows.
                small[:] = np.ascontiguousarray(squares[step // 2 :: step])[:, step // 2 :: step]
            else:
                cv2.resize(squares, (width, height), dst=small, interpolation=cv2.INTER_LINEAR)
        self._count += 1
        if self._count == BATCH:
            self._compare()

    def finish(self) -> list[float]:
        """Return the value of each frame."""
        if self._count:
            self._compare()
        return self._values

    def _begin(self, frame: VideoFrame) -> VideoFrame:
        self._step = step = max(1, round(frame.width / self._width))
        # of the planes of color
        columns, rows = (max(1, side // (2 * step)) for side in (frame.width, frame.height))
        stack = VideoFrame(2 * columns, 2 * rows * BATCH, frame.format.name)
        stack.colorspace, stack.color_range = frame.colorspace, frame.color_range
        self._targets = [np.split(plane_rows(plane), BATCH) for plane in stack.planes]
        return stack

    def _compare(self) -> None:
        assert self._stack is not None
        pictures = _to_hsv(convert(self._stack, "bgra"))
        height, width, channels = pictures.shape
        for picture in pictures.reshape(BATCH, height // BATCH, width, channels)[: self._count]:
            self._follow(_Drawn(picture))
        self._count = 0


class ThreadedContentValues(ContentValues):
    """Compares large frames in its own threads, while the caller decodes the next ones."""

    def __init__(self, draw: Callable[[VideoFrame], Picture], *, with_pixels: bool = False) -> None:
        super().__init__(draw, with_pixels=with_pixels)
        workers = min(MAX_WORKERS, os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="contents")
        self._max_pending = workers + 1
        self._pending: deque[Future[_Compared]] = deque()
        self._frames: list[VideoFrame] = []

    def __exit__(self, *raised: object) -> None:
        self._pool.shutdown(cancel_futures=True)
        super().__exit__(*raised)

    def add(self, frame: VideoFrame) -> None:
        """Take the next frame; wait while too many are not yet compared."""
        self._frames.append(frame)
        if len(self._frames) == BATCH:
            self._submit()

    def finish(self) -> list[float]:
        """Return the value of each frame."""
        if self._frames:
            self._submit()
        while self._pending:
            self._collect()
        return self._values

    def _submit(self) -> None:
        if len(self._pending) >= self._max_pending:
            self._collect()
        self._pending.append(self._pool.submit(_compare, self._frames, self._draw))
        self._frames = []

    def _collect(self) -> None:
        compared = self._pending.popleft().result()
        self._follow(compared.first)
        self._values += compared.values
        self.pixel_values += compared.pixel_values
        self._last = compared.last


@dataclass(frozen=True)
class _Compared:
    """A batch: its first and last frames, and the values of each frame but the first."""

    first: _Drawn
    values: list[float]
    pixel_values: list[PixelValue]
    last: _Drawn


def _compare(frames: Sequence[VideoFrame], draw: Callable[[VideoFrame], _Drawn]) -> _Compared:
    first = before = draw(frames[0])
    values, pixel_values = [], []
    for frame in frames[1:]:
        after = draw(frame)
        values.append(_difference(before.hsv, after.hsv))
        if after.pixels is not None:
            pixel_values.append(_compare_pixels(before, after))
        before = after
    return _Compared(first, values, pixel_values, before)


def _draw(frame: VideoFrame, *, draw: Callable[[VideoFrame], Picture], with_pixels: bool) -> _Drawn:
    picture = draw(frame)
    hsv = _to_hsv(picture)
    if not with_pixels:
        return _Drawn(hsv)
    # The fourth channel, if any, has no meaning.
    return _Drawn(hsv, picture, sum(cv2.mean(picture)[:3]) / 3)


def _compare_pixels(before: _Drawn | None, after: _Drawn) -> PixelValue:
    if before is None or before.pixels is None or after.pixels is None:
        return PixelValue(0.0, 0.0)
    height, width, _ = after.pixels.shape
    sums = cv2.sumElems(cv2.absdiff(before.pixels, after.pixels))
    return PixelValue(sum(sums[:3]) / (3 * height * width), abs(after.mean - before.mean))


def _to_hsv(picture: Picture) -> Picture:
    return cast(Picture, cv2.cvtColor(picture, cv2.COLOR_BGR2HSV))


def _difference(before: Picture, after: Picture) -> float:
    """Return ContentDetector's value; its order of operations decides about the last bit."""
    pixels = before.size / 3
    sums = cv2.sumElems(cv2.absdiff(before, after))  # Integers, one per channel.
    hue, saturation, brightness = (total / pixels for total in sums[:3])
    return (hue + saturation + brightness) / 3.0
