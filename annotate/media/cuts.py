"""Find the cuts where the content of a video changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
from av import VideoFrame
from numpy.typing import NDArray
from scenedetect import FrameTimecode  # type: ignore[import-untyped]  # no types
from scenedetect.detector import FlashFilter  # type: ignore[import-untyped]  # no types

from annotate.media.contents import ContentValues, ThreadedContentValues
from annotate.media.drawing import draw_reduced
from annotate.media.errors import MediaError
from annotate.media.probe import NO_LIMITS, Probe, probe


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
    path: Path,
    *,
    threshold: float,
    min_scene_frames: int,
    downscale: int = 1,
    on_frame: Callable[[int], None] = lambda number: None,
) -> Cuts:
    """Decode a playback file or its source once, and cut it where PySceneDetect's ContentDetector
    does.

    The content value is the mean of the differences in hue, saturation and brightness, 0 to 255;
    a cut needs at least `threshold`. Cuts that follow each other within `min_scene_frames` are
    merged, as PySceneDetect does it; the last scene may be shorter. `downscale` divides width and
    height of the compared pictures. `on_frame` gets each frame's number, and may end the work by
    raising. All frames are those of the playback file, at the place where it begins to show a frame
    of the source. Raises MediaError for a file that can't be decoded to its end.
    """
    # Passing a picture to a thread costs as much as comparing a reduced one.
    compare = ContentValues if downscale > 1 else ThreadedContentValues
    number = -1
    with compare(partial(draw_reduced, downscale=downscale), with_pixels=True) as contents:

        def add(frame: VideoFrame) -> None:
            nonlocal number
            number += 1
            on_frame(number)
            contents.add(frame)

        try:
            probed = probe(path, NO_LIMITS, on_frame=add)
        except FileNotFoundError as error:
            raise MediaError(
                "damaged",
                "The playback file is missing from the media folder. Restore it from a backup.",
            ) from error
        except MediaError as error:
            raise MediaError(
                "damaged",
                f"Frame {number + 1} of the playback file can't be decoded. "
                "Restore it from a backup.",
            ) from error
        measured = np.array(contents.finish()), *np.array(contents.pixel_values).reshape(-1, 2).T
    values, absolute, of_means = (_spread(each, probed) for each in measured)
    firsts = place_cuts(
        values.tolist(), probed.playback_fps, threshold=threshold, min_scene_frames=min_scene_frames
    )
    return Cuts(firsts, *(each.astype(np.float32) for each in (values, absolute, of_means)))


def _spread(measured: NDArray[np.float64], probed: Probe) -> NDArray[np.float64]:
    """Return the value of each frame of the playback file, the largest of frames that share one."""
    spread = np.zeros(probed.playback_frames)
    np.maximum.at(spread, probed.places, measured)
    return spread


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
