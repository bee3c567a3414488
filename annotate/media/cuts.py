"""Where the content of a playback file changes so much that a new scene begins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np
from av.error import FFmpegError
from numpy.typing import NDArray
from scenedetect import ContentDetector, FrameTimecode  # type: ignore[import-untyped]

from annotate.media.decoding import choose_video, exact
from annotate.media.errors import MediaError


@dataclass(frozen=True)
class Cuts:
    """`firsts` are the first frames of the scenes, 0 included. `values` is float32, one for each
    frame: how much its content differs from the frame before, 0 for the first."""

    firsts: list[int]
    values: NDArray[np.float32]


def find_cuts(
    playback: Path,
    *,
    threshold: float,
    min_scene_frames: int,
    downscale: int = 1,
    on_frame: Callable[[int], None] = lambda number: None,
) -> Cuts:
    """Decode the file once and cut it where PySceneDetect's ContentDetector does.

    The content value is the mean of the differences in hue, saturation and brightness, 0 to 255;
    a cut needs at least `threshold`. Cuts that follow each other within `min_scene_frames` are
    merged, as PySceneDetect does it; the last scene may be shorter. `downscale` divides width and
    height of the pictures that are compared. `on_frame` is told each frame's number, and may end
    the work by raising. Raises MediaError for a file that cannot be decoded to its end.
    """
    detector = ContentDetector(threshold=threshold, min_scene_len=min_scene_frames)
    cuts: list[FrameTimecode] = []
    values: list[float] = []
    try:
        with av.open(str(playback)) as container:
            stream = choose_video(container)
            width, height = (max(2, side // downscale) for side in (stream.width, stream.height))
            rate = exact(stream.average_rate)
            for number, frame in enumerate(container.decode(stream)):
                on_frame(number)
                picture = frame.to_ndarray(format="bgr24", width=width, height=height)
                cuts += detector.process_frame(FrameTimecode(number, rate), picture)
                # The public way to it, a StatsManager, finds the edges of every picture as well.
                values.append(detector._frame_score)
    except FileNotFoundError as error:
        raise MediaError(
            "damaged",
            "The playback file is gone from the media folder. Restore it from the backup, or "
            "import the video again.",
        ) from error
    except FFmpegError as error:
        raise MediaError(
            "damaged",
            f"Frame {len(values)} of the playback file cannot be decoded. Import the video again.",
        ) from error
    return Cuts([0, *(cut.frame_num for cut in cuts)], np.array(values, np.float32))
