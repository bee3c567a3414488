"""Find the shots of a playback file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self, cast

import av
import cv2
import numpy as np
from av import VideoFrame

from annotate.media.decoding import choose_video
from annotate.media.detectors import place_cuts
from annotate.media.drawing import Picture, convert, plane_rows

# PySceneDetect's defaults, on pictures half as wide, so that comparing every frame hardly slows
# down an import.
WIDTH, THRESHOLD, MIN_FRAMES = 128, 27.0, 15
# Pictures that are converted at once, because the call costs more than converting a small one.
BATCH_SIZE = 8


def find_shots(playback: Path) -> list[int]:
    """Return the first frame of each shot, including 0."""
    with av.open(str(playback)) as container, ContentValues(WIDTH) as contents:
        for frame in container.decode(choose_video(container)):
            contents.add(frame)
        return place_shots(contents.finish())


def place_shots(values: Sequence[float]) -> list[int]:
    """Return the first frame of each shot from the content value of each frame."""
    marks = {number for number, value in enumerate(values) if value >= THRESHOLD}
    return place_cuts(marks, len(values), min_frames=MIN_FRAMES)


class ContentValues:
    """Compares small pictures of 4:2:0 frames, about `width` wide, as ContentDetector does.

    Give it the frames in order, then call `finish`. A value is the mean of the differences in hue,
    saturation and brightness, 0 to 255; that of the first frame is 0.

    A picture has the middle pixel of each square. Brightness and color are scaled before they are
    converted, which is cheaper than `draw_reduced`. One tall picture has BATCH_SIZE of them.
    """

    def __init__(self, width: int = WIDTH) -> None:
        self._width = width
        self._values: list[float] = []
        self._before: Picture | None = None
        self._stack: VideoFrame | None = None
        self._targets: list[list[Picture]] = []
        self._count = self._step = 0

    def __enter__(self) -> Self:
        # OpenCV's threads would only wait, because FFmpeg's threads use all processors.
        self._cv_threads = cv2.getNumThreads()
        cv2.setNumThreads(1)
        return self

    def __exit__(self, *raised: object) -> None:
        cv2.setNumThreads(self._cv_threads)

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
        if self._count == BATCH_SIZE:
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
        stack = VideoFrame(2 * columns, 2 * rows * BATCH_SIZE, frame.format.name)
        stack.colorspace, stack.color_range = frame.colorspace, frame.color_range
        self._targets = [np.split(plane_rows(plane), BATCH_SIZE) for plane in stack.planes]
        return stack

    def _compare(self) -> None:
        assert self._stack is not None
        tall = cast(Picture, cv2.cvtColor(convert(self._stack, "bgra"), cv2.COLOR_BGR2HSV))
        for picture in np.split(tall, BATCH_SIZE)[: self._count]:
            self._values.append(0.0 if self._before is None else _differ(self._before, picture))
            self._before = picture
        self._count = 0


def _differ(before: Picture, after: Picture) -> float:
    """Return ContentDetector's value; its order of operations decides about the last bit."""
    pixels = before.size / 3
    sums = cv2.sumElems(cv2.absdiff(before, after))  # Integers, one per channel.
    hue, saturation, brightness = (total / pixels for total in sums[:3])
    return (hue + saturation + brightness) / 3.0
