"""How much each frame differs from the one before it, by PySceneDetect's arithmetic."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Self, cast

import cv2
import numpy as np
from av import VideoFrame
from av.video.plane import VideoPlane
from av.video.reformatter import VideoReformatter
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Channels = Sequence[Picture]

# A few frames a task: handing one over costs as much as comparing a small one.
BATCH = 8
# Formats whose rows can be picked, and the one that has a row of chroma for each row of luma.
PLANAR = {"yuv420p": "yuv422p", "yuvj420p": "yuvj422p"}
MAX_WORKERS = 4

_threads = threading.local()


def draw_reduced(frame: VideoFrame, downscale: float) -> Picture:
    """Return the frame in BGR, both sides divided by `downscale`, as PySceneDetect reads it.

    The conversion comes before the scaling, as it does there with OpenCV: in one step, swscale
    turns dark grays into magenta.
    """
    if downscale <= 1:
        return convert_to_bgr(frame)
    size = (max(1, round(frame.width / downscale)), max(1, round(frame.height / downscale)))
    picture = convert_to_bgr(_thin_out(frame, downscale))
    return cast(Picture, cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR))


def draw_small(frame: VideoFrame, width: int) -> Picture:
    """Return a 4:2:0 frame in BGR at about `width`, of the pixels in the middle of each square.

    Cheaper than `draw_reduced`: brightness and color are scaled before they are converted.
    """
    step = max(1, round(frame.width / width))
    sides = (max(1, side // (2 * step)) for side in (frame.width, frame.height))
    columns, rows = sides  # of the planes of color
    small = VideoFrame(2 * columns, 2 * rows, frame.format.name)
    small.colorspace, small.color_range = frame.colorspace, frame.color_range
    for plane, target in zip(frame.planes, small.planes, strict=True):
        squares = _rows(plane)[: target.height * step, : target.width * step]
        size = (target.width, target.height)
        _rows(target)[:] = cv2.resize(squares, size, interpolation=cv2.INTER_LINEAR)
    return convert_to_bgr(small)


def _thin_out(frame: VideoFrame, downscale: float) -> VideoFrame:
    """Return the rows that a bilinear scaling of `frame` reads, or all where it may read all.

    Divided by an odd number, each new row is one of the old ones, and only these need converting.
    """
    step = int(downscale)
    exact = step == downscale and step % 2 == 1 and frame.height % (2 * step) == 0
    if not (exact and frame.format.name in PLANAR and frame.width % 2 == 0):
        return frame
    thin = VideoFrame(frame.width, frame.height // step, PLANAR[frame.format.name])
    thin.colorspace, thin.color_range = frame.colorspace, frame.color_range
    first = step // 2
    luma, *chroma = map(_rows, frame.planes)
    thin_luma, *thin_chroma = map(_rows, thin.planes)
    thin_luma[:] = luma[first::step]
    for rows, picked in zip(chroma, thin_chroma, strict=True):
        # Two rows of luma share one of chroma; here each gets its own.
        picked[0::2] = rows[first // 2 :: step]
        picked[1::2] = rows[(first + step) // 2 :: step]
    return thin


def _rows(plane: VideoPlane) -> Picture:
    # PyAV's stubs don't say that a plane is a buffer.
    flat: Picture = np.frombuffer(plane, np.uint8)  # type: ignore[call-overload]
    return flat.reshape(plane.height, -1)[:, : plane.width]


def convert_to_bgr(frame: VideoFrame) -> Picture:
    """Return height x width x 3 of uint8, bit for bit what `cv2.VideoCapture` reads."""
    # A converter of each thread's own, since setting it up costs as much as a conversion.
    if not hasattr(_threads, "converter"):
        _threads.converter = VideoReformatter()
    converter: VideoReformatter = _threads.converter
    picture = converter.reformat(frame, format="bgr24", interpolation="BICUBIC", threads=1)
    return cast(Picture, picture.to_ndarray())


class ContentValues:
    """Compares frames in threads of its own, while the caller decodes the next ones.

    Give it the frames in order, then call `finish`. A value is the mean of the differences in hue,
    saturation and brightness, 0 to 255; that of the first frame is 0.
    """

    def __init__(self, draw: Callable[[VideoFrame], Picture]) -> None:
        self._draw = draw
        workers = min(MAX_WORKERS, os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="contents")
        self._max_pending = workers + 1
        self._pending: deque[Future[_Compared]] = deque()
        self._frames: list[VideoFrame] = []
        self._last: Channels | None = None
        self._values: list[float] = []

    def __enter__(self) -> Self:
        # OpenCV's own threads would only wait for a processor: ours keep them all busy.
        self._cv_threads = cv2.getNumThreads()
        cv2.setNumThreads(1)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)
        cv2.setNumThreads(self._cv_threads)

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
        first = 0.0 if self._last is None else _difference(self._last, compared.first)
        self._values += [first, *compared.values]
        self._last = compared.last


@dataclass(frozen=True)
class _Compared:
    """A batch: its first and last frames' channels, and the value of each frame but the first."""

    first: Channels
    values: list[float]
    last: Channels


def _compare(frames: Sequence[VideoFrame], draw: Callable[[VideoFrame], Picture]) -> _Compared:
    first = before = _split(draw(frames[0]))
    values = []
    for frame in frames[1:]:
        after = _split(draw(frame))
        values.append(_difference(before, after))
        before = after
    return _Compared(first, values, before)


def _split(picture: Picture) -> Channels:
    return cast(Channels, cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)))


def _difference(before: Channels, after: Channels) -> float:
    """Return ContentDetector's value; its order of operations decides about the last bit."""
    pixels = float(before[0].size)
    hue, saturation, brightness = (
        cv2.norm(earlier, later, cv2.NORM_L1) / pixels
        for earlier, later in zip(before, after, strict=True)
    )
    return (hue + saturation + brightness) / 3.0
