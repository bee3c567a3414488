"""Estimates the score from which captions are good enough, from people's error counts.

LoVR (section 3.2.2 and appendix B.2) plots errors against EVQAScore, sees them rise below 0.2 and
takes that as its threshold, but gives no rule. The rules here compute one from stored labels.
"""

from metrics.threshold.estimate import VERSION, ThresholdEstimate, estimate_threshold
from metrics.threshold.picture import (
    Consequences,
    MonotoneFit,
    auc,
    consequences,
    monotone_fit,
    spearman,
)
from metrics.threshold.rules import MIN_CAPTIONS, MIN_PER_SIDE, RULES

__all__ = [
    "MIN_CAPTIONS",
    "MIN_PER_SIDE",
    "RULES",
    "VERSION",
    "Consequences",
    "MonotoneFit",
    "ThresholdEstimate",
    "auc",
    "consequences",
    "estimate_threshold",
    "monotone_fit",
    "spearman",
]
