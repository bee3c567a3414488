"""The display matrix: how a picture is turned before it is shown."""

import struct
from math import atan2, degrees

import numpy as np
from av import VideoFrame


def read_orientation(frame: VideoFrame) -> tuple[int, bool]:
    """Return the clockwise rotation (0, 90, 180, 270), and whether the frame is mirrored first."""
    if "DISPLAYMATRIX" not in frame.side_data:
        return 0, False
    # Nine numbers in the reading machine's byte order; the first rows are a b u, c d v.
    matrix = frame.side_data["DISPLAYMATRIX"]  # type: ignore[typeddict-item]  # stubs lack it
    a, b, _, c, d, *_ = struct.unpack("=9i", bytes(matrix))
    mirrored = a * d - b * c < 0
    if mirrored:
        a, b = -a, -b
    return round(degrees(atan2(b, a)) / 90) * 90 % 360, mirrored


def turn(frame: VideoFrame, rotation: int, mirrored: bool) -> VideoFrame:
    """Return the yuv420p frame upright; width and height must be even."""
    if not rotation and not mirrored:
        return frame
    width, height = frame.width, frame.height
    luma, blue, red = np.split(
        frame.to_ndarray().reshape(-1), [width * height, width * height * 5 // 4]
    )
    planes = [
        luma.reshape(height, width),
        blue.reshape(height // 2, width // 2),
        red.reshape(height // 2, width // 2),
    ]
    if mirrored:
        planes = [np.fliplr(plane) for plane in planes]
    turned = [np.rot90(plane, -rotation // 90) for plane in planes]
    flat = np.concatenate([plane.reshape(-1) for plane in turned])
    return VideoFrame.from_ndarray(flat.reshape(-1, turned[0].shape[1]), format="yuv420p")
