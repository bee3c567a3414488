"""Videos that change their scene at known frames."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import av
import numpy as np
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotate.models import Project, Video
from tests.cast import make_video

WIDTH, HEIGHT = 192, 108
SQUARE = 24  # pixels; it moves on by one with each frame
COLORS = ((210, 50, 40), (20, 60, 100), (240, 225, 120), (20, 90, 30), (190, 120, 230))


def draw_scene(number: int, scene: int) -> np.ndarray:
    picture = np.full((HEIGHT, WIDTH, 3), COLORS[scene % len(COLORS)], np.uint8)
    left = number % (WIDTH - SQUARE)
    picture[40 : 40 + SQUARE, left : left + SQUARE] = 240
    return picture


def render_scenes(
    path: Path, *, cuts: Sequence[int], frames: int, fps: Fraction | int = 25
) -> Path:
    """A video of `frames` whose scenes begin at 0 and at `cuts`."""
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=fps)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.options = {"preset": "ultrafast", "crf": "20", "g": "10", "threads": "1"}
        for number in range(frames):
            picture = draw_scene(number, bisect_right(cuts, number))
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.time_base, frame.pts = 1 / Fraction(fps), number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def keep_scenes(
    project: Project,
    *,
    cuts: Sequence[int],
    frames: int,
    fps: Fraction | int = 25,
    **fields,
) -> Video:
    """A video of the project whose playback file is one of `render_scenes`."""
    video = make_video(
        project,
        frames=frames,
        fps_num=Fraction(fps).numerator,
        fps_den=Fraction(fps).denominator,
        width=WIDTH,
        height=HEIGHT,
        **fields,
    )
    default_storage.delete(video.playback_file)
    default_storage.save(video.playback_file, ContentFile(_rendered(tuple(cuts), frames, fps)))
    return video


@cache
def _rendered(cuts: Sequence[int], frames: int, fps: Fraction | int) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "scenes.mp4"
        return render_scenes(path, cuts=cuts, frames=frames, fps=fps).read_bytes()
