"""Find the cuts where the content of a video changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from av import VideoFrame
from numpy.typing import NDArray

from annotate.media.detectors import FrameDetector, place_cuts
from annotate.media.drawing import Picture, draw_reduced
from annotate.media.errors import MediaError
from annotate.media.probe import NO_LIMITS, Probe, probe


@dataclass(frozen=True)
class Cuts:
    """`firsts` has the first frame of each scene, including 0. The others have a value for each
    frame, as float32: `values` are the detector's; `absolute` and `of_means` are the mean of the
    absolute differences between its pixels and those of the frame before, 0 to 255 over the three
    color channels, and the difference of the means of the pixels (LoVR, Figure 3 and A.1).
    """

    firsts: list[int]
    values: NDArray[np.float32]
    absolute: NDArray[np.float32]
    of_means: NDArray[np.float32]


class _PixelValues:
    """The two differences of LoVR's Figure 3 between each frame and the one before it."""

    def __init__(self) -> None:
        self.values: list[tuple[float, float]] = []
        self._before: tuple[Picture, float] | None = None

    def add(self, picture: Picture) -> None:
        mean = sum(cv2.mean(picture)[:3]) / 3
        if self._before is None:
            self.values.append((0.0, 0.0))
        else:
            before, mean_before = self._before
            sums = cv2.sumElems(cv2.absdiff(before, picture))
            self.values.append((sum(sums[:3]) / picture.size, abs(mean - mean_before)))
        self._before = picture, mean


def find_cuts(
    path: Path,
    *,
    detector: FrameDetector,
    min_scene_frames: int,
    downscale: int = 1,
    on_frame: Callable[[int], None] = lambda number: None,
) -> Cuts:
    """Decode a playback file or its source once, and cut it where the detector sees a change.

    Cuts that follow each other within `min_scene_frames` are filtered by the detector's mode; the
    last scene may be shorter. `downscale` divides width and height of the compared pictures.
    `on_frame` gets each frame's number, and may end the work by raising. All frames are those of
    the playback file, at the place where it begins to show a frame of the source. Raises MediaError
    for a file that can't be decoded to its end.
    """
    pixels = _PixelValues()
    number = -1

    def add(frame: VideoFrame) -> None:
        nonlocal number
        number += 1
        on_frame(number)
        picture = draw_reduced(frame, downscale)
        detector.add(picture)
        pixels.add(picture)

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
            f"Frame {number + 1} of the playback file can't be decoded. Restore it from a backup.",
        ) from error
    measured = detector.finish()
    firsts = place_cuts(
        {probed.places[mark] for mark in measured.marks},
        probed.playback_frames,
        min_frames=min_scene_frames,
        mode=detector.mode,
    )
    curves = np.array(measured.values), *np.array(pixels.values).T
    return Cuts(firsts, *(_spread(values, probed).astype(np.float32) for values in curves))


def _spread(measured: NDArray[np.float64], probed: Probe) -> NDArray[np.float64]:
    """Return the value of each frame of the playback file, the largest of frames that share one."""
    spread = np.zeros(probed.playback_frames)
    np.maximum.at(spread, probed.places, measured)
    return spread
