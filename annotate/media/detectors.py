"""PySceneDetect's detectors of cuts, fed with the frames that Vericap decodes.

`scenedetect.open_video` would open files without the checks of `containers`, and reports neither
progress nor a canceled run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from scenedetect import FrameTimecode, StatsManager  # type: ignore[import-untyped]  # no types
from scenedetect.detector import FlashFilter, SceneDetector  # type: ignore[import-untyped]  # no types
from scenedetect.detectors import (  # type: ignore[import-untyped]  # no types
    AdaptiveDetector,
    ContentDetector,
    HashDetector,
    HistogramDetector,
    ThresholdDetector,
)

from annotate.media.drawing import Picture

MERGE, SUPPRESS = FlashFilter.Mode.MERGE, FlashFilter.Mode.SUPPRESS
# Lengths are counted in frames, so that no result depends on the rate.
_RATE = Fraction(25)
# A higher ratio of AdaptiveDetector says no more, and would hide the others in a chart.
MAX_RATIO = 20.0


@dataclass(frozen=True)
class Measured:
    """`values`: of each frame, the higher the more it looks like a cut. `marks`: the frames that
    begin a scene, however short.
    """

    values: Sequence[float]
    marks: Collection[int]


class FrameDetector(Protocol):
    """Takes the frames of a film in order, in BGR, and is used once. `mode`: whether cuts that
    follow each other too soon are merged to the last one, or left out after the first one.
    """

    mode: FlashFilter.Mode

    def add(self, picture: Picture) -> None: ...

    def finish(self) -> Measured: ...


class _WithoutEdges:
    def _detect_edges(self, lum: Picture) -> None:
        """With a StatsManager ContentDetector looks for edges, which don't count in its value."""


class _Content(_WithoutEdges, ContentDetector):  # type: ignore[misc]  # no types
    pass


class _Adaptive(_WithoutEdges, AdaptiveDetector):  # type: ignore[misc]  # no types
    pass


class _OneMetric(StatsManager):  # type: ignore[misc]  # no types
    """Holds one metric of each frame, since all of them take 1 KB of a frame."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.by_frame: dict[int, float] = {}

    def set_metrics(self, timecode: FrameTimecode, metric_kv_dict: Mapping[str, float]) -> None:
        if self.name in metric_kv_dict:
            self.by_frame[timecode.frame_num] = float(metric_kv_dict[self.name])


class _SceneDetector:
    """A FrameDetector that is one of PySceneDetect's; `value` turns its metric into a value."""

    def __init__(
        self,
        detector: SceneDetector,
        metric: str,
        *,
        mode: FlashFilter.Mode = SUPPRESS,
        value: Callable[[float], float] = float,
    ) -> None:
        self.mode = mode
        self._detector, self._value = detector, value
        self._metric = detector.stats_manager = _OneMetric(metric)
        self._marks: set[int] = set()
        self._count = 0

    def add(self, picture: Picture) -> None:
        time = FrameTimecode(self._count, _RATE)
        self._marks |= {cut.frame_num for cut in self._detector.process_frame(time, picture)}
        self._count += 1

    def finish(self) -> Measured:
        values = [0.0] * self._count  # of the first frame, too, which has none before it
        for frame, metric in self._metric.by_frame.items():
            values[frame] = self._value(metric)
        return Measured(values, self._marks)


def open_detector(name: str, threshold: float) -> FrameDetector:
    """Return a detector of PySceneDetect: content, adaptive, threshold, hash or histogram.

    The value of `threshold` is 255 minus the brightness, and that of `histogram` 1 minus the
    correlation, so that each is high at a cut.
    """
    if name == "content":
        content = _Content(threshold, min_scene_len=0)
        return _SceneDetector(content, ContentDetector.FRAME_SCORE_KEY, mode=MERGE)
    if name == "adaptive":
        adaptive = _Adaptive(threshold, min_scene_len=0)
        ratio = adaptive.get_metrics()[-1]
        return _SceneDetector(adaptive, ratio, value=lambda ratio: min(ratio, MAX_RATIO))
    if name == "threshold":
        fades = ThresholdDetector(min_scene_len=0)
        fades.threshold = threshold  # its constructor would round it down
        brightness = ThresholdDetector.THRESHOLD_VALUE_KEY
        return _SceneDetector(fades, brightness, value=lambda mean: 255 - mean)
    if name == "hash":
        hashes = HashDetector(threshold, min_scene_len=0)
        return _SceneDetector(hashes, hashes.get_metrics()[0])
    if name == "histogram":
        bins = HistogramDetector(threshold, min_scene_len=0)
        return _SceneDetector(bins, bins.get_metrics()[0], value=lambda alike: 1 - alike)
    raise ValueError(f"{name!r} is not a detector.")


def place_cuts(
    marks: Collection[int], frames: int, *, min_frames: int, mode: FlashFilter.Mode = MERGE
) -> list[int]:
    """Return the first frame of each scene, including 0, as PySceneDetect filters the `marks` of
    its detectors. The last scene may be shorter than `min_frames`.
    """
    lengths = FlashFilter(mode, min_frames)
    firsts = [0]
    for number in range(frames):
        is_marked = number > 0 and number in marks
        cuts = lengths.filter(FrameTimecode(number, _RATE), is_marked)
        firsts += [cut.frame_num for cut in cuts]
    return firsts
