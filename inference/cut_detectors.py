"""What finds the cuts of a segment run: detectors of PySceneDetect, and one that is a model. Pure:
workers open them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class CutDetector:
    """`choice`: what the form says. `value`: what its curve shows, after "…’s value". `threshold`
    is its author's, which may be `least` to `most`. The values of one that looks for darkness are
    255 minus the brightness, and so is the line of its threshold.
    """

    label: str
    choice: str
    value: str
    threshold: float
    least: float
    most: float
    is_darkness: bool = False

    def line(self, threshold: float) -> float:
        """Return the value at which a chart draws the threshold."""
        return 255 - threshold if self.is_darkness else threshold


CONTENT, TRANSNETV2 = "content", "transnetv2"
CUT_DETECTORS: Mapping[str, CutDetector] = {
    CONTENT: CutDetector(
        "ContentDetector",
        "Content: hue, saturation and brightness change",
        "the mean of the differences in hue, saturation and brightness, 0 to 255",
        threshold=34.0,  # LoVR's; PySceneDetect's is 27
        least=1,
        most=255,
    ),
    "adaptive": CutDetector(
        "AdaptiveDetector",
        "Adaptive: content changes more than around it, for moving cameras",
        "how many times ContentDetector’s value is that of the two frames before and after, drawn "
        "up to 20",
        threshold=3.0,
        least=1,
        most=20,
    ),
    "threshold": CutDetector(
        "ThresholdDetector",
        "Threshold: fades through black",
        "255 minus the mean brightness, so that a fade to black is a peak; the cut is in the "
        "middle of the fade",
        threshold=12.0,
        least=1,
        most=254,
        is_darkness=True,
    ),
    "hash": CutDetector(
        "HashDetector",
        "Hash: perceptual hashes differ",
        "the share of the bits in which the perceptual hashes of two frames differ, 0 to 1",
        threshold=0.35,
        least=0.01,
        most=1,
    ),
    "histogram": CutDetector(
        "HistogramDetector",
        "Histogram: the distribution of brightness changes",
        "1 minus the correlation of the histograms of brightness of two frames, 0 to 2",
        threshold=0.2,
        least=0.01,
        most=1,
    ),
    TRANSNETV2: CutDetector(
        "TransNetV2",
        "TransNetV2: a trained network sees cuts and dissolves",
        "the probability that a shot ends with the frame, 0 to 1",
        threshold=0.5,
        least=0.01,
        most=1,
    ),
}
