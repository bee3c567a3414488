"""Frames as pictures in memory: converted to a format of OpenCV's, and scaled down."""

from __future__ import annotations

import threading
from typing import cast

import cv2
import numpy as np
from av import VideoFrame
from av.video.plane import VideoPlane
from av.video.reformatter import VideoReformatter
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

# Formats whose rows can be picked -> the format with a row of chroma for each row of luma.
PLANAR = {"yuv420p": "yuv422p", "yuvj420p": "yuvj422p"}

_threads = threading.local()


def draw_reduced(frame: VideoFrame, downscale: float) -> Picture:
    """Return the frame in BGR, both sides divided by `downscale`, as PySceneDetect reads it.

    The frame is converted before it is scaled, as PySceneDetect does with OpenCV: in one step,
    swscale turns dark grays into magenta.
    """
    if downscale <= 1:
        return convert_to_bgr(frame)
    size = (max(1, round(frame.width / downscale)), max(1, round(frame.height / downscale)))
    step = int(downscale)
    # With an odd divisor, each new row and column is one of the old ones.
    if step == downscale and step % 2 == 1 and _has_pairs(frame, step):
        frame = _thin_out(frame, step)
        if frame.width % step == 0:
            # Four bytes are picked faster than three.
            columns = convert(frame, "bgra").view(np.uint32)[:, step // 2 :: step]
            picked = np.ascontiguousarray(columns).view(np.uint8)
            return cast(Picture, cv2.cvtColor(picked, cv2.COLOR_BGRA2BGR))
    return cast(Picture, cv2.resize(convert_to_bgr(frame), size, interpolation=cv2.INTER_LINEAR))


def _has_pairs(frame: VideoFrame, step: int) -> bool:
    """Return whether every `step`-th row can be converted alone, with its own row of chroma."""
    even = frame.height % (2 * step) == 0 and frame.width % 2 == 0
    return even and frame.format.name in PLANAR


def _thin_out(frame: VideoFrame, step: int) -> VideoFrame:
    """Return the middle one of every `step` rows, which are all that bilinear scaling reads."""
    thin = _blank(frame, frame.width, frame.height // step, PLANAR[frame.format.name])
    first = step // 2
    luma, *chroma = map(plane_rows, frame.planes)
    thin_luma, *thin_chroma = map(plane_rows, thin.planes)
    thin_luma[:] = luma[first::step]
    for rows, picked in zip(chroma, thin_chroma, strict=True):
        # Two rows of luma share one of chroma; give each its own.
        picked[0::2] = rows[first // 2 :: step]
        picked[1::2] = rows[(first + step) // 2 :: step]
    return thin


def _blank(like: VideoFrame, width: int, height: int, format_name: str) -> VideoFrame:
    """Return an empty frame, which this thread must convert before it gets the next one."""
    blank: VideoFrame | None = getattr(_threads, "blank", None)
    shape = (width, height, format_name)
    if blank is None or (blank.width, blank.height, blank.format.name) != shape:
        _threads.blank = blank = VideoFrame(*shape)
    blank.colorspace, blank.color_range = like.colorspace, like.color_range
    return blank


def plane_rows(plane: VideoPlane) -> Picture:
    """Return a view of the plane's rows without padding."""
    flat: Picture = np.frombuffer(plane, np.uint8)  # type: ignore[call-overload]  # a buffer
    return flat.reshape(plane.height, -1)[:, : plane.width]


def convert_to_bgr(frame: VideoFrame) -> Picture:
    """Return height x width x 3 of uint8, bit for bit what `cv2.VideoCapture` reads."""
    return convert(frame, "bgr24")


def convert(frame: VideoFrame, format_name: str) -> Picture:
    """Return height x width x channels of uint8, in a packed format such as bgra."""
    # Each thread keeps its converter, because setting one up costs as much as a conversion.
    if not hasattr(_threads, "converter"):
        _threads.converter = VideoReformatter()
    converter: VideoReformatter = _threads.converter
    picture = converter.reformat(frame, format=format_name, interpolation="BICUBIC", threads=1)
    # A view of the picture's rows without padding; `to_ndarray` would copy them.
    channels = len(picture.format.components)
    plane = picture.planes[0]
    flat: Picture = np.frombuffer(plane, np.uint8)  # type: ignore[call-overload]  # a buffer
    rows = flat.reshape(picture.height, -1)[:, : picture.width * channels]
    return rows.reshape(picture.height, picture.width, channels)


def shrink(frame: VideoFrame, width: int, height: int) -> Picture:
    """Return a 4:2:0 frame in BGR, scaled down to even sides.

    Brightness and color are averaged first, so that only the small picture has to be converted.
    """
    small = VideoFrame(width, height, frame.format.name)
    small.colorspace, small.color_range = frame.colorspace, frame.color_range
    for plane, target in zip(
        map(plane_rows, frame.planes), map(plane_rows, small.planes), strict=True
    ):
        size = (target.shape[1], target.shape[0])
        cv2.resize(plane, size, dst=target, interpolation=cv2.INTER_AREA)
    return convert_to_bgr(small)
