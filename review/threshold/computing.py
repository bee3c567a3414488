"""Estimate the score from which a caption is good enough, from labels alone (LoVR, section 3.2.2,
Figure 4a, appendix B.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from metrics.threshold import (
    RULES,
    MonotoneFit,
    ThresholdEstimate,
    auc,
    estimate_threshold,
    monotone_fit,
    spearman,
)

# The paper leaves open whether a sentence with A#B has one error or two.
COUNTINGS = ("per_type", "per_sentence")
N_BOOTSTRAP = 1000
TARGET = 0.1
SEED = 0


class Labelled(NamedTuple):
    """A caption of the sample: its score, and the errors of each verification by each counting."""

    caption: int
    score: float
    errors: tuple[tuple[int, int], ...]


class Point(NamedTuple):
    """A caption with its score and its mean errors by each counting."""

    caption: int
    score: float
    per_type: float
    per_sentence: float

    def errors(self, counting: str) -> float:
        """`counting`: of COUNTINGS."""
        return self.per_type if counting == COUNTINGS[0] else self.per_sentence


@dataclass(frozen=True)
class Counted:
    """The results of one counting: the estimate of each of RULES, the correlation of scores and
    errors, and the non-increasing fit.
    """

    rules: Mapping[str, ThresholdEstimate]
    spearman: float | None
    auc: float | None
    fit: MonotoneFit


@dataclass(frozen=True)
class Thresholds:
    points: Sequence[Point]
    per_type: Counted
    per_sentence: Counted

    def counted(self, counting: str) -> Counted:
        """`counting`: of COUNTINGS."""
        counted: Counted = getattr(self, counting)
        return counted


def estimate_thresholds(labelled: Sequence[Labelled]) -> Thresholds:
    scores = [caption.score for caption in labelled]
    means = [
        [fmean(counts[place] for counts in caption.errors) for place in range(len(COUNTINGS))]
        for caption in labelled
    ]
    by_type, by_sentence = (
        _counted(scores, [mean[place] for mean in means]) for place in range(len(COUNTINGS))
    )
    points = [
        Point(caption.caption, caption.score, *mean)
        for caption, mean in zip(labelled, means, strict=True)
    ]
    return Thresholds(points, by_type, by_sentence)


def _counted(scores: list[float], errors: list[float]) -> Counted:
    return Counted(
        rules={
            rule: estimate_threshold(
                scores, errors, rule, n_bootstrap=N_BOOTSTRAP, seed=SEED, target=TARGET
            )
            for rule in RULES
        },
        spearman=spearman(scores, errors),
        auc=auc(scores, errors),
        fit=monotone_fit(scores, errors),
    )
