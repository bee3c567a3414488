"""A film whose every frame carries its own number, 16 gray blocks that a script can read."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

BLOCKS, BLOCK, HEIGHT = 16, 20, 180
WIDTH = BLOCKS * BLOCK
FRAMES, FPS_NUM, FPS_DEN = 96, 24_000, 1001
# Far from black and white, and far enough apart for any conversion of colors on the way.
DARK, BRIGHT, BETWEEN = 60, 190, 125


def draw_number(number: int) -> np.ndarray:
    """RGB; block i is bright where bit i of `number` is set."""
    bits = [BRIGHT if number >> bit & 1 else DARK for bit in range(BLOCKS)]
    row = np.repeat(np.array(bits, dtype=np.uint8), BLOCK)
    return np.broadcast_to(row[None, :, None], (HEIGHT, WIDTH, 3)).copy()


def read_number(picture: np.ndarray) -> int:
    """The number in a decoded RGB picture, read in the middle of each block."""
    samples = picture[HEIGHT // 2, BLOCK // 2 :: BLOCK, 0]
    return sum(1 << bit for bit, sample in enumerate(samples) if sample > BETWEEN)


def render_numbered(path: Path, group: int = FRAMES) -> Path:
    """H.264 with B-frames and one keyframe, the hardest that an import leaves as it is; or with one
    every `group` frames."""
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=Fraction(FPS_NUM, FPS_DEN))
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.options = {
            "preset": "veryfast",
            "g": str(group),
            "bf": "2",
            "crf": "16",
            "sc_threshold": "0",
        }
        for number in range(FRAMES):
            frame = av.VideoFrame.from_ndarray(draw_number(number), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def decode_numbers(path: Path) -> list[int]:
    """What PyAV reads in each frame, in the order in which they are shown."""
    with av.open(str(path)) as container:
        return [read_number(f.to_ndarray(format="rgb24")) for f in container.decode(video=0)]
