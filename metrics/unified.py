"""One number for captioning and retrieval, and how models differ over benchmarks (CaReBench).

Section 5.4 (Table 6) combines a model's retrieval and captioning in one score. Appendix D compares
two models on several benchmarks by their relative gap (Equation 4) and correlates it with the
length and richness of the captions (Tables 16 to 18).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from metrics.correlation import Correlation, pearson

VERSION = 1


@dataclass(frozen=True)
class UnifiedScore:
    """In the unit of the input. `retrieval`: mean of the two R@1. `caption`: mean of the two F1.
    `value`: mean of these two means. If any is None, `reason` says why.
    """

    value: float | None
    retrieval: float | None
    caption: float | None
    reason: str
    version: int = VERSION


@dataclass(frozen=True)
class RelativeGap:
    """`percent`: how much higher `own` is than `baseline`, in percent of `baseline`; None if it
    would divide by 0, and `reason` says so.
    """

    percent: float | None
    reason: str
    own: float
    baseline: float
    version: int = VERSION


def unified_score(
    *,
    text_to_video: float | None,
    video_to_text: float | None,
    events: float | None,
    objects: float | None,
) -> UnifiedScore:
    """Combine R@1 in both directions and CapST's F1 of events and of objects (Table 6).

    All four in the same unit, shares or percent. An unknown value is None and leaves its mean
    undefined. Raises ValueError for numbers outside 0 to 100.
    """
    parts = {
        "R@1 text to video": text_to_video,
        "R@1 video to text": video_to_text,
        "F1 of events": events,
        "F1 of objects": objects,
    }
    for name, value in parts.items():
        if value is not None and not 0 <= value <= 100:
            raise ValueError(f"{name} is {value}; give a share or percent, from 0 to 100")
    missing = [name for name, value in parts.items() if value is None]
    retrieval, caption = _mean(text_to_video, video_to_text), _mean(events, objects)
    return UnifiedScore(
        value=_mean(retrieval, caption),
        retrieval=retrieval,
        caption=caption,
        reason=f"Without {', '.join(missing)} there is no score." if missing else "",
    )


def relative_gap(own: float, baseline: float) -> RelativeGap:
    """Return the gap of two scores in percent: 100 (own - baseline) / baseline (Equation 4).

    Raises ValueError for numbers that are negative or not finite.
    """
    for name, value in (("own", own), ("baseline", baseline)):
        if not (isfinite(value) and value >= 0):
            raise ValueError(f"{name} is {value}; give a number from 0")
    if not baseline:
        return RelativeGap(None, "The baseline is 0, and the gap divides by it.", own, baseline)
    return RelativeGap(100 * (own - baseline) / baseline, "", own, baseline)


def gap_correlations(
    gaps: Sequence[float], statistics: Mapping[str, Sequence[float]], *, units: str = "benchmarks"
) -> dict[str, Correlation]:
    """Correlate a gap with each statistic by Pearson's r (Table 18).

    `gaps`: one per benchmark, or per category or clip, as `units` says. `statistics`: by name, one
    number per benchmark, such as words, objects and actions per caption. With seven benchmarks a
    correlation can hardly be told from none, so each has its interval, p and a warning. Raises
    ValueError for unequal lengths, naming the statistic, and for numbers that are not finite.
    """
    correlations = {}
    for name, values in statistics.items():
        if len(values) != len(gaps):
            raise ValueError(
                f"{name} has {len(values)} numbers for {len(gaps)} {units}; give one each"
            )
        correlations[name] = pearson(values, gaps, units=units)
    return correlations


def _mean(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else (first + second) / 2
