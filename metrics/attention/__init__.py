"""Signs that somebody works without attention: sides, repeats and pace. Docs: docs/metrics.md."""

from metrics.attention.exact import binomial_p, changed_more_p, holm
from metrics.attention.outliers import (
    ALLOWED,
    ALPHA,
    Count,
    Outlier,
    Outliers,
    changed_votes,
    position_bias,
    too_many,
)
from metrics.attention.pace import (
    FAST_Z,
    MIN_COMPARED,
    MIN_OWN,
    Pace,
    compare_pace,
)

__all__ = [
    "ALLOWED",
    "ALPHA",
    "FAST_Z",
    "MIN_COMPARED",
    "MIN_OWN",
    "Count",
    "Outlier",
    "Outliers",
    "Pace",
    "binomial_p",
    "changed_more_p",
    "changed_votes",
    "compare_pace",
    "holm",
    "position_bias",
    "too_many",
]
