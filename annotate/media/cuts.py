"""Find the cuts where the content of a playback file changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import av
import numpy as np
from av.error import FFmpegError
from numpy.typing import NDArray
from scenedetect import FrameTimecode  # type: ignore[import-untyped]  # no types
from scenedetect.detector import FlashFilter  # type: ignore[import-untyped]  # no types

from annotate.media.contents import ContentValues, ThreadedContentValues
from annotate.media.decoding import choose_video, exact
from annotate.media.drawing import draw_reduced
from annotate.media.errors import MediaError


@dataclass(frozen=True)
class Cuts:
    """`firsts` has the first frame of each scene, including 0. The others have, for each frame, how
    much it differs from the frame before, as float32; 0 for the first. `values` are
    ContentDetector's; `absolute` and `of_means` are the mean of the absolute differences of its
    pixels, and the difference of the means of the pixels (LoVR, Figure 3 and A.1).
    """

    firsts: list[int]
    values: NDArray[np.float32]
    absolute: NDArray[np.float32]
    of_means: NDArray[np.float32]


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
    height of the compared pictures. `on_frame` gets each frame's number, and may end the work by
    raising. Raises MediaError for a file that can't be decoded to its end.
    """
    count = 0
    # Passing a picture to a thread costs as much as comparing a reduced one.
    compare = ContentValues if downscale > 1 else ThreadedContentValues
    draw = partial(draw_reduced, downscale=downscale)
    try:
        with av.open(str(playback)) as container, compare(draw, with_pixels=True) as contents:
            stream = choose_video(container)
            rate = exact(stream.average_rate)
            for count, frame in enumerate(container.decode(stream), start=1):
                on_frame(count - 1)
                contents.add(frame)
            values = contents.finish()
    except FileNotFoundError as error:
        raise MediaError(
            "damaged",
            "The playback file is missing from the media folder. Restore it from a backup.",
        ) from error
    except FFmpegError as error:
        raise MediaError(
            "damaged",
            f"Frame {count} of the playback file can't be decoded. Restore it from a backup.",
        ) from error
    firsts = place_cuts(values, rate, threshold=threshold, min_scene_frames=min_scene_frames)
    absolute, of_means = np.array(contents.pixel_values, np.float32).reshape(-1, 2).T
    return Cuts(firsts, np.array(values, np.float32), absolute.copy(), of_means.copy())


def place_cuts(
    values: Sequence[float], rate: Fraction, *, threshold: float, min_scene_frames: int
) -> list[int]:
    """Return the first frame of each scene, including 0, from the content value of each frame."""
    merging = FlashFilter(FlashFilter.Mode.MERGE, min_scene_frames)
    above = [number for number, value in enumerate(values) if value >= threshold]
    # The filter counts from the first frame. A frame below the threshold can only end a merge, and
    # the first one far enough after the last one above the threshold does.
    ends = (number + min_scene_frames for number in above)
    telling = sorted({0, *above, *(number for number in ends if number < len(values))})
    cuts: list[FrameTimecode] = []
    for number in telling:
        cuts += merging.filter(FrameTimecode(number, rate), values[number] >= threshold)
    return [0, *(cut.frame_num for cut in cuts)]
