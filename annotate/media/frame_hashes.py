"""Hash a few frames of a video by their content, to recognize a re-encoded copy.

The hash is the DCT hash of C. Zauner, "Implementation and benchmarking of perceptual image hash
functions" (2010), section 3.2.1: 64 low frequencies of a 32 x 32 picture, with one bit each for
"above their median".
"""

from __future__ import annotations

import cv2
import numpy as np
from av import VideoFrame
from numpy.typing import NDArray

from annotate.media.drawing import convert_to_bgr
from annotate.media.hash_distances import FLAT, HASHES

SIDE, LOW = 32, 8
# Gray levels, 0 to 255: a frame that varies less is black or of one color.
MIN_DEVIATION = 4.0


class FrameHashes:
    """Hashes HASHES frames of a video, evenly spread, given all its frames in order."""

    def __init__(self, frames: int) -> None:
        self._numbers = hashed_frames(frames)
        self._number = 0
        self._hashes: dict[int, int] = {}

    def add(self, frame: VideoFrame) -> None:
        """Take the next frame."""
        if self._number in self._numbers:
            self._hashes[self._number] = hash_picture(_shrink(frame))
        self._number += 1

    def finish(self) -> str:
        """Return the hashes as they are stored: 16 hexadecimal digits each."""
        return "".join(f"{self._hashes[number]:016x}" for number in self._numbers)


def hashed_frames(frames: int) -> list[int]:
    """Return the numbers of the frames in the middle of HASHES equal parts; short videos repeat."""
    return [(2 * part + 1) * frames // (2 * HASHES) for part in range(HASHES)]


def hash_picture(gray: NDArray[np.float32]) -> int:
    """Return the 64-bit hash of a picture of SIDE x SIDE gray levels, FLAT if it shows nothing."""
    if gray.std() < MIN_DEVIATION:
        return FLAT
    # Without the first row and column, which follow the brightness and its slope.
    low = cv2.dct(gray)[1 : LOW + 1, 1 : LOW + 1].ravel()
    bits = np.packbits(low > np.median(low))
    return int.from_bytes(bits.tobytes(), "big")


def _shrink(frame: VideoFrame) -> NDArray[np.float32]:
    gray = cv2.cvtColor(convert_to_bgr(frame), cv2.COLOR_BGR2GRAY)
    small = cv2.resize(gray, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32)
