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

# A few frames a task: handing one over costs as much as comparing a small one.
BATCH = 8
# Formats whose rows can be picked, and the one that has a row of chroma for each row of luma.
PLANAR = {"yuv420p": "yuv422p", "yuvj420p": "yuvj422p"}
MAX_WORKERS = 4

_threads = threading.local()


def draw_reduced(frame: VideoFrame, downscale: float) -> Picture:
    """Return the frame in BGR, both sides divided by `downscale`, as PySceneDetect reads it.

    The conversion comes before the scaling, as it does there with OpenCV: in one step, swscale
    turns dark grays into magenta. Where pixels are only picked, a fourth channel means nothing.
    """
    if downscale <= 1:
        return convert_to_bgr(frame)
    size = (max(1, round(frame.width / downscale)), max(1, round(frame.height / downscale)))
    step = int(downscale)
    # Divided by an odd number, each new row is one of the old ones, and each new column.
    if step == downscale and step % 2 == 1 and _has_pairs(frame, step):
        frame = _thin_out(frame, step)
        if frame.width % step == 0:
            # Four bytes are copied at once, three are not.
            pixels = _convert(frame, "bgra").view(np.uint32)[:, step // 2 :: step]
            return np.ascontiguousarray(pixels).view(np.uint8)
    return cast(Picture, cv2.resize(convert_to_bgr(frame), size, interpolation=cv2.INTER_LINEAR))


def draw_small(frame: VideoFrame, width: int) -> Picture:
    """Return a 4:2:0 frame in BGR at about `width`, of the pixels in the middle of each square.

    Cheaper than `draw_reduced`: brightness and color are scaled before they are converted.
    """
    step = max(1, round(frame.width / width))
    sides = (max(1, side // (2 * step)) for side in (frame.width, frame.height))
    columns, rows = sides  # of the planes of color
    small = _blank(frame, 2 * columns, 2 * rows, frame.format.name)
    for plane, target in zip(frame.planes, small.planes, strict=True):
        squares = _rows(plane)[: target.height * step, : target.width * step]
        size = (target.width, target.height)
        if step % 2 == 1:  # The same, but the other pixels aren't even read.
            _rows(target)[:] = squares[step // 2 :: step, step // 2 :: step]
        else:
            cv2.resize(squares, size, dst=_rows(target), interpolation=cv2.INTER_LINEAR)
    return convert_to_bgr(small)


def _has_pairs(frame: VideoFrame, step: int) -> bool:
    """Whether every `step`-th row can be converted alone: two of them share no row of chroma."""
    even = frame.height % (2 * step) == 0 and frame.width % 2 == 0
    return even and frame.format.name in PLANAR


def _thin_out(frame: VideoFrame, step: int) -> VideoFrame:
    """Return the middle one of every `step` rows, the only ones that a bilinear scaling reads."""
    thin = _blank(frame, frame.width, frame.height // step, PLANAR[frame.format.name])
    first = step // 2
    luma, *chroma = map(_rows, frame.planes)
    thin_luma, *thin_chroma = map(_rows, thin.planes)
    thin_luma[:] = luma[first::step]
    for rows, picked in zip(chroma, thin_chroma, strict=True):
        # Two rows of luma share one of chroma; here each gets its own.
        picked[0::2] = rows[first // 2 :: step]
        picked[1::2] = rows[(first + step) // 2 :: step]
    return thin


def _blank(like: VideoFrame, width: int, height: int, format_name: str) -> VideoFrame:
    """Return a frame to fill and to convert before this thread asks for the next one."""
    blank: VideoFrame | None = getattr(_threads, "blank", None)
    shape = (width, height, format_name)
    if blank is None or (blank.width, blank.height, blank.format.name) != shape:
        _threads.blank = blank = VideoFrame(*shape)
    blank.colorspace, blank.color_range = like.colorspace, like.color_range
    return blank


def _rows(plane: VideoPlane) -> Picture:
    # PyAV's stubs don't say that a plane is a buffer.
    flat: Picture = np.frombuffer(plane, np.uint8)  # type: ignore[call-overload]
    return flat.reshape(plane.height, -1)[:, : plane.width]


def convert_to_bgr(frame: VideoFrame) -> Picture:
    """Return height x width x 3 of uint8, bit for bit what `cv2.VideoCapture` reads."""
    return _convert(frame, "bgr24")


def _convert(frame: VideoFrame, format_name: str) -> Picture:
    # A converter of each thread's own, since setting it up costs as much as a conversion.
    if not hasattr(_threads, "converter"):
        _threads.converter = VideoReformatter()
    converter: VideoReformatter = _threads.converter
    picture = converter.reformat(frame, format=format_name, interpolation="BICUBIC", threads=1)
    # A view of the picture's rows without what fills them up: `to_ndarray` would copy them.
    channels = len(picture.format.components)
    flat: Picture = np.frombuffer(picture.planes[0], np.uint8)  # type: ignore[call-overload]
    rows = flat.reshape(picture.height, -1)[:, : picture.width * channels]
    return rows.reshape(picture.height, picture.width, channels)


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
        self._last: Picture | None = None
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
    """A batch: its first and last frames in HSV, and the value of each frame but the first."""

    first: Picture
    values: list[float]
    last: Picture


def _compare(frames: Sequence[VideoFrame], draw: Callable[[VideoFrame], Picture]) -> _Compared:
    first = before = _to_hsv(draw(frames[0]))
    values = []
    for frame in frames[1:]:
        after = _to_hsv(draw(frame))
        values.append(_difference(before, after))
        before = after
    return _Compared(first, values, before)


def _to_hsv(picture: Picture) -> Picture:
    return cast(Picture, cv2.cvtColor(picture, cv2.COLOR_BGR2HSV))


def _difference(before: Picture, after: Picture) -> float:
    """Return ContentDetector's value; its order of operations decides about the last bit."""
    pixels = before.size / 3
    sums = cv2.sumElems(cv2.absdiff(before, after))  # Whole numbers, of each channel.
    hue, saturation, brightness = (total / pixels for total in sums[:3])
    return (hue + saturation + brightness) / 3.0
